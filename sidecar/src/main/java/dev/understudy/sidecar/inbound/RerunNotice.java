package dev.understudy.sidecar.inbound;

import java.util.concurrent.CompletableFuture;

/** Has the upstream replies of an exchange given once more, to a request that the debug JVM is sent again. */
public interface RerunNotice {
    /** For where nobody keeps such replies. */
    RerunNotice NONE = new RerunNotice() {
        @Override
        public CompletableFuture<Boolean> give(String trace, long exchange) {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public void over(String trace, long exchange) {}
    };

    /** Why nothing can be sent again now; "" if it can. Any thread. */
    default String obstacle() {
        return "";
    }

    /**
     * An exchange is about to be sent to the debug JVM once more. Any thread.
     *
     * @param trace the id, of 32 hex digits, of the trace that the debug JVM is told this time
     * @param exchange the number of the exchange
     * @return true once the aggregator knows, false if it can't be told soon: what is sent then would take replies that
     *     others wait for. Never exceptionally; on any thread
     */
    CompletableFuture<Boolean> give(String trace, long exchange);

    /** The debug JVM has answered it, or isn't waited for any longer. Any thread. */
    void over(String trace, long exchange);
}

package dev.understudy.sidecar.inbound;

import java.util.concurrent.CompletableFuture;

/** Has the upstream replies of an exchange given once more, to a request that the debug JVM is sent again. */
@FunctionalInterface
public interface RerunNotice {
    /** For where nobody keeps such replies. */
    RerunNotice NONE = (trace, exchange) -> CompletableFuture.completedFuture(null);

    /**
     * An exchange is about to be sent to the debug JVM once more. Any thread.
     *
     * @param trace the id, of 32 hex digits, of the trace that the debug JVM is told this time
     * @param exchange the number of the exchange
     * @return ends once the aggregator knows, or if it can't be told soon, and never exceptionally; on any thread
     */
    CompletableFuture<Void> give(String trace, long exchange);
}

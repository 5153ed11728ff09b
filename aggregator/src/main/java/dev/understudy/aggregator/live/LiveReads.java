package dev.understudy.aggregator.live;

import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.limit.HeldMemory;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * One running server, as far as the debug JVM may ask it, few calls at a time: the real upstream, for reads alone, or a
 * stand-in. For any thread.
 */
public interface LiveReads {
    /** A server that isn't asked. */
    LiveReads NONE = new LiveReads() {
        @Override
        public PendingRequest ask(EventLoop loop, HeldMemory memory, String shown, LiveRead<?> read, Answer then) {
            then.given("it isn't there to be asked");
            return () -> {};
        }

        @Override
        public void refused(String shown) {}
    };

    /**
     * Asks it once.
     *
     * @param loop the debug connection's event loop, on which this is called
     * @param memory what the reply is charged to until it is complete
     * @param shown the request for people, redacted
     * @param then is told on the loop, unless the request is cancelled before
     */
    PendingRequest ask(EventLoop loop, HeldMemory memory, String shown, LiveRead<?> read, Answer then);

    /** Notes that a request was not let through, since it isn't known to only read. */
    void refused(String shown);

    /** What came of it. */
    @FunctionalInterface
    interface Answer {
        /**
         * Reports it.
         *
         * @param problem why there is no reply; null if the read has it
         */
        void given(@Nullable String problem);
    }
}

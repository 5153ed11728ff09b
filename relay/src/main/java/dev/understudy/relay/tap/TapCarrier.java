package dev.understudy.relay.tap;

import java.util.concurrent.atomic.LongAdder;

/**
 * Carries what a relay's connections tell to whoever copies: in the same process, or through memory that is shared with
 * another one. Thread-safe.
 */
@FunctionalInterface
public interface TapCarrier {
    /**
     * The way of one connection that was just accepted; on its relay loop. Doesn't wait.
     *
     * @param failures counts the copies that ended by a defect
     */
    TapFeed open(TapConnection connection, LongAdder failures);

    /** The same; a connection whose way can't be opened, be it for want of memory, is relayed all the same. */
    default TapFeed openOrNone(TapConnection connection, LongAdder failures) {
        try {
            return open(connection, failures);
        } catch (Throwable e) {
            failures.increment();
            return NoFeed.INSTANCE;
        }
    }

    /** Calls taps on the relay loops of the same process. */
    static TapCarrier inline(TapFactory taps) {
        return (connection, failures) -> FeedPair.open(taps, connection, failures);
    }
}

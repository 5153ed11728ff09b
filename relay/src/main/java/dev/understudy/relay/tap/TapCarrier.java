package dev.understudy.relay.tap;

import java.util.concurrent.atomic.LongAdder;

/**
 * Carries what a relay's connections tell to whoever copies: in the same process, or through memory that is shared with
 * another one. Thread-safe.
 */
@FunctionalInterface
public interface TapCarrier {
    /**
     * The way of one connection that was just accepted; on its relay loop. Doesn't wait and doesn't throw.
     *
     * @param failures counts the copies that ended by a defect
     */
    TapFeed open(Connection connection, LongAdder failures);

    /** Calls taps on the relay loops of the same process. */
    static TapCarrier inline(TapFactory taps) {
        return (connection, failures) -> FeedPair.open(taps, connection, failures);
    }
}

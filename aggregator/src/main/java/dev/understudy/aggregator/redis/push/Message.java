package dev.understudy.aggregator.redis.push;

import java.util.Comparator;

/**
 * Something that a production connection was told unasked. The bytes are shared and never changed.
 *
 * @param nanos when production got it
 * @param sequence tells apart what came at one time
 */
@SuppressWarnings("ArrayRecordComponent") // shared; compared by nobody
record Message(Subscription from, long nanos, long sequence, byte[] wire) {
    static final Comparator<Message> IN_ORDER =
            Comparator.comparingLong(Message::nanos).thenComparingLong(Message::sequence);

    long cost() {
        return 96L + wire.length;
    }
}

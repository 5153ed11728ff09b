package dev.understudy.aggregator.match;

import java.util.concurrent.TimeUnit;

/**
 * How far another process's {@code System.nanoTime} is from ours, from when it says that it sent something and when
 * that came.
 *
 * <p>The smallest difference lately is the offset and the shortest way there, which is at most the shortest round trip:
 * so much too late a time may be taken for, and never too early. Lately is the last ten to twenty seconds, since clocks
 * of two hosts drift. Guarded by its owner.
 */
final class ClockOffset {
    private static final long PERIOD = TimeUnit.SECONDS.toNanos(10);

    private long before = Long.MAX_VALUE;
    private long now = Long.MAX_VALUE;
    private long since;
    private boolean begun;

    /** Something came at {@code received}, our time, that was sent at {@code sent}, its time. */
    void heard(long sent, long received) {
        if (!begun || received - since > PERIOD) {
            before = begun ? now : Long.MAX_VALUE;
            now = Long.MAX_VALUE;
            since = received;
            begun = true;
        }
        now = Math.min(now, received - sent);
    }

    /** What is to be added to its times; something has been heard. */
    long nanos() {
        return Math.min(before, now);
    }
}

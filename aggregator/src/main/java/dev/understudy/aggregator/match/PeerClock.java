package dev.understudy.aggregator.match;

import java.util.concurrent.TimeUnit;

/**
 * How times of another process's {@code System.nanoTime} are told on ours: as they are where both have one
 * clock, else by a {@link ClockOffset}. Guarded by its owner.
 */
final class PeerClock {
    private static final long FIRST_ROUND_TRIP = TimeUnit.MILLISECONDS.toNanos(5);

    /** A time on the same clock differs by how long a message takes. */
    private static final long ONE_CLOCK = TimeUnit.SECONDS.toNanos(3);

    private final ClockOffset offset = new ClockOffset();
    private long shift;
    private long uncertainty;

    /**
     * A message came.
     *
     * @param sent when it was sent, on the other's clock
     * @param roundTrip the shortest that a message and its answer took; 0 if none was answered yet
     * @param same whether the other says that it has our clock
     * @param now when it came, on ours
     */
    void heard(long sent, long roundTrip, boolean same, long now) {
        offset.heard(sent, now);
        boolean oneClock = same && now - sent >= 0 && now - sent < ONE_CLOCK;
        shift = oneClock ? 0 : offset.nanos();
        uncertainty = oneClock ? 0 : roundTrip == 0 ? FIRST_ROUND_TRIP : roundTrip;
    }

    /** What is to be added to its times so that none is too early; each may be too late by {@link #uncertainty}. */
    long shift() {
        return shift;
    }

    /** How much too late a time may be taken for. */
    long uncertainty() {
        return uncertainty;
    }

    /** Its time on ours, which is never too late. */
    long early(long nanos) {
        return nanos + shift - uncertainty;
    }
}

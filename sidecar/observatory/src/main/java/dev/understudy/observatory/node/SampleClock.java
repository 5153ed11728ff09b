package dev.understudy.observatory.node;

import java.util.function.LongSupplier;

/**
 * Epoch microseconds that run evenly: the wall clock's once, and from then on the monotonic clock's. Both are kept at
 * the same rate by the kernel, so they only part where somebody sets the wall clock. One thread.
 */
final class SampleClock {
    /** A smaller step isn't seen, microseconds. */
    static final long STEP = 1000;

    /** A reading of both clocks that took longer than this isn't exact enough, nanoseconds. */
    private static final long EXACT = 200_000;

    private static final int TRIES = 5;

    private final LongSupplier wallMicros;
    private final LongSupplier nanos;
    private long anchor;

    /**
     * With two clocks.
     *
     * @param wallMicros the wall clock, epoch microseconds
     * @param nanos the monotonic clock, nanoseconds
     */
    SampleClock(LongSupplier wallMicros, LongSupplier nanos) {
        this.wallMicros = wallMicros;
        this.nanos = nanos;
        Reading first = read();
        anchor = first.distance;
    }

    /** Both clocks at once: how far the wall clock is ahead, microseconds, and how exact that is, nanoseconds. */
    private record Reading(long distance, long width) {}

    private Reading read() {
        Reading best = new Reading(0, Long.MAX_VALUE);
        for (int i = 0; i < TRIES && best.width > EXACT / 10; i++) {
            long before = nanos.getAsLong();
            long wall = wallMicros.getAsLong();
            long width = nanos.getAsLong() - before;
            if (width < best.width) {
                best = new Reading(wall - (before + width / 2) / 1000, width);
            }
        }
        return best;
    }

    /** The time of a moment, epoch microseconds. */
    long micros(long atNanos) {
        return atNanos / 1000 + anchor;
    }

    /**
     * Compares both clocks; for once a second.
     *
     * @return by how much the wall clock was set forward, in microseconds, less than 0 for backward; 0 if it wasn't.
     *     {@link #micros} follows it from now on
     */
    long step() {
        Reading now = read();
        long step = now.distance - anchor;
        if (now.width > EXACT || Math.abs(step) <= STEP) {
            return 0;
        }
        anchor = now.distance;
        return step;
    }
}

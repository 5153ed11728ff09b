package dev.understudy.agent.point;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How often something may be told: so often a second, a second's worth at once, and so often in all. For any threads.
 */
final class Limit {
    private static final double LONGEST_NANOS = 1e15;

    private final long pauseNanos;
    private final long ahead;
    private final LongSupplier nanoTime;
    private final AtomicInteger left;
    private final AtomicLong free;

    /** @param perSecond above 0 */
    Limit(double perSecond, int quota, LongSupplier nanoTime) {
        this.pauseNanos = (long) Math.min(LONGEST_NANOS, 1e9 / perSecond);
        this.ahead = Math.max(0, 1_000_000_000L - pauseNanos);
        this.nanoTime = nanoTime;
        this.left = new AtomicInteger(quota);
        this.free = new AtomicLong(nanoTime.getAsLong() - ahead);
    }

    /** Whether one more could be told now. */
    boolean allows() {
        return left.get() > 0 && nanoTime.getAsLong() - free.get() >= 0;
    }

    /** Takes one; false if none is left. */
    boolean take() {
        while (true) {
            long now = nanoTime.getAsLong();
            long due = free.get();
            if (left.get() <= 0 || now - due < 0) {
                return false;
            }
            long from = now - ahead - due > 0 ? now - ahead : due;
            if (free.compareAndSet(due, from + pauseNanos)) {
                return left.getAndDecrement() > 0;
            }
        }
    }

    /** How many may still be told. */
    int left() {
        return Math.max(0, left.get());
    }
}

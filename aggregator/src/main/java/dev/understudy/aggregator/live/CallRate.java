package dev.understudy.aggregator.live;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** So many calls a second, which may come at once. Safe for all threads: guarded by {@code this}. */
public final class CallRate {
    private final long perCallNanos;
    private final long most;
    private final LongSupplier nanos;
    private long usedUntil;

    /**
     * None has begun.
     *
     * @param perSecond at least 1
     */
    public CallRate(int perSecond, LongSupplier nanos) {
        this.perCallNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.most = TimeUnit.SECONDS.toNanos(1);
        this.nanos = nanos;
        this.usedUntil = nanos.getAsLong() - most;
    }

    /** Whether one more may begin now, which is counted then. */
    public synchronized boolean take() {
        long now = nanos.getAsLong();
        long from = Math.max(usedUntil - now, -most) + now;
        if (from + perCallNanos - now > 0) {
            return false;
        }
        usedUntil = from + perCallNanos;
        return true;
    }
}

package dev.understudy.sidecar.window;

import org.jspecify.annotations.Nullable;

/**
 * Counts exchanges that arrived and that debug has finished, and how long debug had something to do.
 *
 * <p>Told by all lanes; guarded by {@code this}.
 */
public final class Traffic {
    private long arrived;
    private long served;
    private long pending;
    private long busyNanos;
    private long busySince;
    private @Nullable Long abandonedAt;

    /** What was counted up to a moment. */
    record Count(long arrived, long served, long pending, long busyNanos) {}

    /** A request arrived that debug is to answer. */
    public synchronized void arrived(long now) {
        if (pending == 0) {
            busySince = now;
        }
        arrived++;
        pending++;
    }

    /** Debug answered one. */
    public synchronized void served(long now) {
        served++;
        leave(now);
    }

    /** Debug will never answer one: lost, timed out, or its lane ended. */
    public synchronized void abandoned(long now) {
        abandonedAt = now;
        leave(now);
    }

    /** Whether there was one lately that debug may still be at. */
    public synchronized boolean hasAbandonedSince(long nanos) {
        return abandonedAt != null && abandonedAt - nanos > 0;
    }

    /** Exchanges that debug hasn't answered yet. */
    public synchronized long pending() {
        return pending;
    }

    synchronized Count count(long now) {
        long busy = busyNanos + (pending > 0 ? Math.max(0, now - busySince) : 0);
        return new Count(arrived, served, pending, busy);
    }

    private void leave(long now) {
        pending--;
        if (pending == 0) {
            busyNanos += Math.max(0, now - busySince);
        }
    }
}

package dev.understudy.aggregator.sql;

import org.jspecify.annotations.Nullable;

/**
 * Until when, in production's time, one debug session was given production's replies; or all sessions, where this one
 * was given none. Safe for all threads.
 */
public final class ReplayPosition {
    private final @Nullable ReplayPosition all;
    private volatile @Nullable Long nanos;
    private volatile boolean anchored;

    /** @param all that of all sessions; null if this is it */
    public ReplayPosition(@Nullable ReplayPosition all) {
        this.all = all;
    }

    /** A reply was given that production had at this time ({@code System.nanoTime}). */
    public void reached(long endNanos) {
        nanos = endNanos;
        anchored = true;
        if (all != null) {
            all.reached(endNanos);
        }
    }

    /**
     * The session was given an answer that held at that time. What it asks when it begins says nothing of others:
     * there may be more of them than production had.
     */
    public void passed(long time) {
        Long now = nanos();
        if (now == null || time - now > 0) {
            nanos = time;
            if (all != null && anchored) {
                all.passed(time);
            }
        }
    }

    /** Null if nothing was given yet. */
    public @Nullable Long nanos() {
        Long own = nanos;
        return own != null || all == null ? own : all.nanos();
    }
}

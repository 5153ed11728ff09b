package dev.understudy.aggregator.postgres.replay;

import org.jspecify.annotations.Nullable;

/**
 * Until when, in production's time, one debug session was given production's replies; or all sessions, where this one
 * was given none. Safe for all threads.
 */
final class ReplayPosition {
    private final @Nullable ReplayPosition all;
    private volatile @Nullable Long nanos;

    /** @param all that of all sessions; null if this is it */
    ReplayPosition(@Nullable ReplayPosition all) {
        this.all = all;
    }

    /** A reply was given that production had at this time ({@code System.nanoTime}). */
    void reached(long endNanos) {
        nanos = endNanos;
        if (all != null) {
            all.reached(endNanos);
        }
    }

    /** Null if nothing was given yet. */
    @Nullable
    Long nanos() {
        Long own = nanos;
        return own != null || all == null ? own : all.nanos();
    }
}

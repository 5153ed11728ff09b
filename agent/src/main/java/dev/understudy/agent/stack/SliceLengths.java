package dev.understudy.agent.stack;

import java.util.concurrent.TimeUnit;

/**
 * How long slices of a second have to be in which so many things happen as may in that second. Not for several threads.
 */
final class SliceLengths {
    /** So many slices are neither all within the same request, nor is opening them much work. */
    static final int A_SECOND = 4;

    static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    /** Where little happened, it may be chance. */
    private static final double MOST_GROWTH = 4;

    private final int perSecond;
    private final double perSlice;
    private long length = FIRST_NANOS;
    private double due;

    /** @param perSecond at least 1 */
    SliceLengths(int perSecond) {
        this.perSecond = perSecond;
        this.perSlice = (double) perSecond / A_SECOND;
    }

    /** The next one's; 0 if what happened in the last ones is enough for this, too. */
    long next() {
        due = Math.min(perSecond, due + perSlice);
        return due > 0 ? length : 0;
    }

    /** So much happened in it. */
    void had(int count) {
        due -= count;
        double factor = Math.min(MOST_GROWTH, perSlice / Math.max(1, count));
        length = Math.max(SHORTEST_NANOS, Math.min(LONGEST_NANOS, Math.round(length * factor)));
    }
}

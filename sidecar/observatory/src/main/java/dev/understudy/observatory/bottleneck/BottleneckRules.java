package dev.understudy.observatory.bottleneck;

/**
 * What counts as a bottleneck. The study that the method comes from (seed 004, chapter 3) gives the first two figures;
 * RATIONALE.md says where the others come from.
 *
 * @param windowMicros how long a window is; 50 ms in 004, section 3.3
 * @param slowFactor an exchange is very long from so many medians of its route on; 004 says one or two orders of
 *     magnitude (chapter 1)
 * @param leastOfRoute exchanges of a route without which nothing of it is called very long
 * @param leastDelayMicros what an exchange must take longer than the median at least to be very long
 * @param leastSlow very long exchanges without which windows are no bottleneck
 * @param rise robust standard deviations above its baseline from which on a queue stands out
 * @param stay robust standard deviations above which it still does
 * @param baselineWindows windows on each side by which the baseline of a queue is found
 * @param joinWindows bottlenecks with fewer windows between them are one
 * @param lags windows by which a resource may be ahead of the queue
 * @param level probability below which a resource doesn't match by chance, after correction for their number
 * @param most bottlenecks that are explained, the worst ones
 */
public record BottleneckRules(
        long windowMicros,
        double slowFactor,
        int leastOfRoute,
        long leastDelayMicros,
        int leastSlow,
        double rise,
        double stay,
        int baselineWindows,
        int joinWindows,
        int lags,
        double level,
        int most) {
    /** Windows that a run may have: a day of 50 ms, and twice that. */
    public static final int MOST_WINDOWS = 4_000_000;

    public BottleneckRules {
        check("windowMicros", (double) windowMicros, 1_000, 10_000_000);
        check("slowFactor", slowFactor, 1, 1_000_000);
        check("leastOfRoute", leastOfRoute, 1, Integer.MAX_VALUE);
        check("leastDelayMicros", (double) leastDelayMicros, 0, Integer.MAX_VALUE);
        check("leastSlow", leastSlow, 1, Integer.MAX_VALUE);
        check("rise", rise, 1, 1_000);
        check("stay", stay, 0, rise);
        check("baselineWindows", baselineWindows, 20, 100_000);
        check("joinWindows", joinWindows, 1, 1_000);
        check("lags", lags, 0, 100);
        check("level", level, 0, 1);
        check("most", most, 1, 1_000);
    }

    private static void check(String name, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + least + " to " + most + ")");
        }
    }

    /** What is used unless somebody says otherwise. */
    public static BottleneckRules standard() {
        return new BottleneckRules(50_000, 10, 20, 10_000, 3, 8, 3, 300, 3, 4, 0.05, 50);
    }

    /** The same with windows of this length. */
    public BottleneckRules withWindow(long micros) {
        return new BottleneckRules(
                micros,
                slowFactor,
                leastOfRoute,
                leastDelayMicros,
                leastSlow,
                rise,
                stay,
                baselineWindows,
                joinWindows,
                lags,
                level,
                most);
    }

    /** The same with another measure of what is very long. */
    public BottleneckRules withSlow(double factor, int ofRoute, long delayMicros) {
        return new BottleneckRules(
                windowMicros,
                factor,
                ofRoute,
                delayMicros,
                leastSlow,
                rise,
                stay,
                baselineWindows,
                joinWindows,
                lags,
                level,
                most);
    }

    /** The same with so many bottlenecks at most. */
    public BottleneckRules withMost(int bottlenecks) {
        return new BottleneckRules(
                windowMicros,
                slowFactor,
                leastOfRoute,
                leastDelayMicros,
                leastSlow,
                rise,
                stay,
                baselineWindows,
                joinWindows,
                lags,
                level,
                bottlenecks);
    }
}

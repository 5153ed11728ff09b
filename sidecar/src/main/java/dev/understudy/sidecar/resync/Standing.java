package dev.understudy.sidecar.resync;

/**
 * What was counted of a debug JVM by some moment.
 *
 * @param compared exchanges of which both replies were
 * @param different those of them that differ
 * @param overflows how often requests were lost because the window was full
 */
public record Standing(long compared, long different, long overflows) {
    /** Nothing yet. */
    public static final Standing NONE = new Standing(0, 0, 0);

    /** What came since {@code earlier}. */
    public Standing since(Standing earlier) {
        return new Standing(compared - earlier.compared, different - earlier.different, overflows - earlier.overflows);
    }

    /** Both together. */
    public Standing plus(Standing other) {
        return new Standing(compared + other.compared, different + other.different, overflows + other.overflows);
    }
}

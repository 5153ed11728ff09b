package dev.understudy.sidecar.resync;

/**
 * What was counted of a debug JVM by some moment.
 *
 * @param compared exchanges of which both replies were
 * @param different those of them that differ
 * @param overflows how often requests were lost because the window was full
 */
public record ResyncStanding(long compared, long different, long overflows) {
    /** Nothing yet. */
    public static final ResyncStanding NONE = new ResyncStanding(0, 0, 0);

    /** What came since {@code earlier}. */
    public ResyncStanding since(ResyncStanding earlier) {
        return new ResyncStanding(
                compared - earlier.compared, different - earlier.different, overflows - earlier.overflows);
    }

    /** Both together. */
    public ResyncStanding plus(ResyncStanding other) {
        return new ResyncStanding(compared + other.compared, different + other.different, overflows + other.overflows);
    }
}

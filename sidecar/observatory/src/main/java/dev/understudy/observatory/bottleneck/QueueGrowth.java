package dev.understudy.observatory.bottleneck;

/**
 * What one tier's queue did in a bottleneck.
 *
 * @param tier the tier's name
 * @param part what it had to do with it
 * @param usual its usual queue around that time, exchanges
 * @param most the most exchanges under way
 * @param onsetMicros when it began to grow, epoch microseconds; 0 if it didn't
 */
public record QueueGrowth(String tier, Part part, double usual, int most, long onsetMicros) {
    /** What a tier has to do with a bottleneck. */
    public enum Part {
        /** Its queue grew, and no tier behind it explains that. */
        ORIGIN,
        /** Its queue grew since its exchanges waited for the origin, which is behind it. */
        PUSHED_BACK,
        /** Its queue grew later: it got what had waited in the origin at once. */
        AFTERWARDS,
        /** Its queue didn't grow. */
        CALM
    }
}

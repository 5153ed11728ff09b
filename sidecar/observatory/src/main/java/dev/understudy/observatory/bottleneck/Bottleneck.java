package dev.understudy.observatory.bottleneck;

import java.util.List;

/**
 * One very short bottleneck.
 *
 * @param firstWindow the first window in which a queue stands out
 * @param lastWindow the last one
 * @param startMicros when the queue began to grow, epoch microseconds
 * @param topMicros when it was nearly longest
 * @param endMicros when the last window ends in which it stands out
 * @param origin the tier in which it began
 * @param share what part of the longest queue is explained by the origin's, from 0 to 1: how sure the origin is
 * @param tiers what every tier's queue did, in the order from the client
 * @param delayedTier the first of them that was delayed, of whose exchanges the next three are
 * @param slow very long exchanges under way then
 * @param delayMicros what those took beyond the medians of their routes, together
 * @param longestMicros the longest of them
 * @param resources those that fit best, the best one first; some may fit by chance, see {@link #isExplained}
 * @param tried how many resources were tried
 * @param places at how many other places of the run they were tried for comparison
 */
public record Bottleneck(
        int firstWindow,
        int lastWindow,
        long startMicros,
        long topMicros,
        long endMicros,
        String origin,
        double share,
        List<QueueGrowth> tiers,
        String delayedTier,
        int slow,
        long delayMicros,
        long longestMicros,
        List<ResourceMatch> resources,
        int tried,
        int places) {
    public Bottleneck {
        tiers = List.copyOf(tiers);
        resources = List.copyOf(resources);
    }

    /** Whether the best resource fits better than chance explains. */
    public boolean isExplained(double level) {
        return !resources.isEmpty() && resources.get(0).corrected() <= level;
    }

    /** Whether the run is too short for so many resources: even a perfect match might be chance. */
    public boolean isTooShort(double level) {
        return tried > 0 && tried / (1.0 + places) > level;
    }

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

    /**
     * How well a resource explains a queue.
     *
     * @param source the host or process
     * @param metric what was measured
     * @param score mean rank score while the queue grew: 1 is usual, and the logarithm of the number of windows is the
     *     most there can be
     * @param correlation Spearman's rank correlation with the queue up to its top at that lag, from -1 to 1
     * @param lagWindows by how many windows the resource is ahead of the queue
     * @param chance probability of such a score elsewhere in the run, from 0 to 1
     * @param corrected the same, corrected for all resources that were tried (Holm)
     */
    public record ResourceMatch(
            String source,
            String metric,
            double score,
            double correlation,
            int lagWindows,
            double chance,
            double corrected) {}
}

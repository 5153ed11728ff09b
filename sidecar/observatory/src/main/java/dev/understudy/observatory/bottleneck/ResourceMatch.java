package dev.understudy.observatory.bottleneck;

/**
 * How well a resource explains a queue.
 *
 * @param source the host or process
 * @param metric what was measured
 * @param score mean rank score while the queue grew: 1 is usual, and the natural logarithm of the number of windows the
 *     most there can be
 * @param correlation Spearman's rank correlation with the queue from before its rise to its top, from -1 to 1, at that lag
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

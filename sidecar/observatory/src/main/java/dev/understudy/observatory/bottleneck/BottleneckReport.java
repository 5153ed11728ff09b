package dev.understudy.observatory.bottleneck;

import java.util.List;

/**
 * What was found in a run.
 *
 * @param rules by which it was found
 * @param windows the tiers' windows, in the order from the client; all have the same
 * @param bottlenecks the one with the most delay first
 * @param peaks windows in which a queue stood out, also where no exchange was very long
 * @param leftOut bottlenecks that were not explained, since there are more than the rules allow
 * @param slow very long exchanges of each tier, in the whole run
 */
public record BottleneckReport(
        BottleneckRules rules,
        List<QueueWindows> windows,
        List<Bottleneck> bottlenecks,
        int peaks,
        int leftOut,
        List<Integer> slow) {
    public BottleneckReport {
        windows = List.copyOf(windows);
        bottlenecks = List.copyOf(bottlenecks);
        slow = List.copyOf(slow);
    }
}

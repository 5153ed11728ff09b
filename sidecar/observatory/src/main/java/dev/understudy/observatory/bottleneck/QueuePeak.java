package dev.understudy.observatory.bottleneck;

import java.util.ArrayList;
import java.util.List;

/**
 * Windows in which the queue of at least one tier stands out.
 *
 * @param first the first of them
 * @param last the last of them
 */
record QueuePeak(int first, int last) {
    /**
     * Finds them: from where a queue rises above {@code rise} deviations back and on to where it is below
     * {@code stay}, so that a queue around one threshold isn't many peaks; those close together are one.
     */
    static List<QueuePeak> in(List<QueueBaseline> tiers, int windows, BottleneckRules rules) {
        List<QueuePeak> peaks = new ArrayList<>();
        int window = 0;
        while (window < windows) {
            if (!stands(tiers, window, rules.rise())) {
                window++;
                continue;
            }
            int first = window;
            int last = window;
            while (first > 0 && stands(tiers, first - 1, rules.stay())) {
                first--;
            }
            while (last + 1 < windows && stands(tiers, last + 1, rules.stay())) {
                last++;
            }
            QueuePeak before = peaks.isEmpty() ? null : peaks.get(peaks.size() - 1);
            if (before != null && first - before.last <= rules.joinWindows()) {
                peaks.set(peaks.size() - 1, new QueuePeak(before.first, last));
            } else {
                peaks.add(new QueuePeak(first, last));
            }
            window = last + 1;
        }
        return peaks;
    }

    private static boolean stands(List<QueueBaseline> tiers, int window, double score) {
        for (QueueBaseline tier : tiers) {
            if (tier.score(window) >= score) {
                return true;
            }
        }
        return false;
    }
}

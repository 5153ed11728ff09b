package dev.understudy.observatory.bottleneck;

import dev.understudy.observatory.bottleneck.Bottleneck.QueueGrowth;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the tier in which a peak began, from the exact queues in tenths of a window.
 *
 * <p>An exchange that waits behind a tier is under way in that tier, too: a tier that stalls pushes its queue back into
 * all tiers before it (seed 004, section 3.3). So the origin is the last tier, in the order from the client, whose own
 * queue explains the longest one during most of its rise: it has half as many exchanges more than usual, or as many as
 * it ever has (a pool of connections that is full). A tier that grows only once the stall is over explains nothing of
 * the rise: it gets at once what had waited.
 */
final class QueueOrigin {
    private static final int STEPS = 10;
    /** So many for a peak that lasts for minutes, which is no short one any more. */
    private static final int MOST_STEPS = 20_000;

    private static final int BEFORE = 4;
    private static final double SHARE = 0.7;

    private final List<TierQueue> tiers;
    private final List<QueueBaseline> baselines;
    private final BottleneckRules rules;
    private final long fromMicros;
    private final long stepMicros;
    private final int window;
    private final double[][] excess;
    private final int highest;
    private final int peak;
    private final int onset;

    QueueOrigin(
            List<TierQueue> tiers,
            List<QueueBaseline> baselines,
            QueueWindows windows,
            QueuePeak where,
            BottleneckRules rules) {
        this.tiers = tiers;
        this.baselines = baselines;
        this.rules = rules;
        window = where.first();
        long length = (where.last() - where.first() + 1L + BEFORE) * rules.windowMicros();
        stepMicros = Math.max(rules.windowMicros() / STEPS, length / MOST_STEPS);
        fromMicros = windows.startMicros(where.first() - BEFORE);
        int steps = (int) (length / stepMicros);
        excess = new double[tiers.size()][steps];
        int grown = 0;
        for (int tier = 0; tier < excess.length; tier++) {
            double usual = baselines.get(tier).median(window);
            for (int step = 0; step < steps; step++) {
                excess[tier][step] = tiers.get(tier).at(fromMicros + step * stepMicros) - usual;
            }
            grown = most(tier, steps - 1) > most(grown, steps - 1) ? tier : grown;
        }
        highest = grown;
        peak = reaches(highest, steps - 1);
        onset = onset(highest, peak);
    }

    private double most(int tier, int until) {
        double most = excess[tier][0];
        for (int step = 1; step <= until; step++) {
            most = Math.max(most, excess[tier][step]);
        }
        return most;
    }

    /** The first step at which the tier has nine tenths of its growth up to that one. */
    private int reaches(int tier, int until) {
        double most = most(tier, until);
        int step = 0;
        while (step < until && excess[tier][step] < 0.9 * most) {
            step++;
        }
        return step;
    }

    /** The last step before that one at which it had grown by no more than a tenth, or a request. */
    private int onset(int tier, int until) {
        int top = reaches(tier, until);
        double calm = Math.max(1, 0.1 * excess[tier][top]);
        int step = top;
        while (step > 0 && excess[tier][step] > calm) {
            step--;
        }
        return step;
    }

    private boolean grows(int tier, int until) {
        double least = Math.max(2, rules.stay() * baselines.get(tier).deviation(window));
        return most(tier, until) >= least;
    }

    /** The tier's place in the order from the client. */
    int tier() {
        for (int tier = excess.length - 1; tier >= 0; tier--) {
            if (tier == highest || (grows(tier, peak) && share(tier) >= SHARE)) {
                return tier;
            }
        }
        return highest;
    }

    /** During what part of the rise the tier's own queue explains the longest one, from 0 to 1. */
    double share(int tier) {
        double full = most(tier, peak);
        int counted = 0;
        int explained = 0;
        for (int step = onset + 1; step <= peak; step++) {
            double needed = Math.min(excess[highest][step], full);
            if (excess[highest][step] >= 1) {
                counted++;
                explained += excess[tier][step] >= 0.5 * needed ? 1 : 0;
            }
        }
        return counted == 0 ? 0 : (double) explained / counted;
    }

    /** The place of the tier whose queue grew most. */
    int highest() {
        return highest;
    }

    /** When the queue began to grow, epoch microseconds. */
    long onsetMicros() {
        return fromMicros + onset * stepMicros;
    }

    /** When it was nearly longest, epoch microseconds. */
    long peakMicros() {
        return fromMicros + peak * stepMicros;
    }

    /** What every tier did, in the order from the client. */
    List<QueueGrowth> growth() {
        int origin = tier();
        List<QueueGrowth> growth = new ArrayList<>();
        for (int tier = 0; tier < excess.length; tier++) {
            int end = excess[tier].length - 1;
            double usual = baselines.get(tier).median(window);
            int most = (int) Math.round(most(tier, end) + usual);
            QueueGrowth.Part part = part(tier, origin, end);
            long began = part == QueueGrowth.Part.CALM ? 0 : fromMicros + onset(tier, end) * stepMicros;
            growth.add(new QueueGrowth(tiers.get(tier).tier(), part, usual, most, began));
        }
        return growth;
    }

    private QueueGrowth.Part part(int tier, int origin, int end) {
        if (tier == origin) {
            return QueueGrowth.Part.ORIGIN;
        }
        if (!grows(tier, end)) {
            return QueueGrowth.Part.CALM;
        }
        return tier < origin ? QueueGrowth.Part.PUSHED_BACK : QueueGrowth.Part.AFTERWARDS;
    }
}

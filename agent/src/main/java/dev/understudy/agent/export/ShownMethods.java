package dev.understudy.agent.export;

import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.bootstrap.Timings;
import dev.understudy.agent.budget.Governor;
import dev.understudy.agent.budget.Stance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.IntToDoubleFunction;

/**
 * Which methods a report shows: those that are called most, that took most time together, of which a call took longest,
 * whose samples cost most, {@value #EACH} of each, and some of those that were ordered. Confined to one thread.
 */
final class ShownMethods {
    static final int EACH = 100;
    private static final int ORDERED = 200;

    private final Governor governor;
    private final long[] hitsBefore = new long[Probes.CAPACITY];
    private final int[] samplesBefore = new int[Probes.CAPACITY];
    private final double[] rate = new double[Probes.CAPACITY];
    private int called;

    ShownMethods(Governor governor) {
        this.governor = governor;
    }

    /** Looks at all probes below {@code probes} anew; those hit most come first, then those with most of the others. */
    Set<Integer> look(int probes) {
        called = 0;
        for (int probe = 1; probe < probes; probe++) {
            long hits = governor.hits(probe);
            long more = hits - hitsBefore[probe];
            int sampled = Timings.samples(probe);
            rate[probe] = more > 0 ? Math.min(1, (double) (sampled - samplesBefore[probe]) / more) : 0;
            hitsBefore[probe] = hits;
            samplesBefore[probe] = sampled;
            called += hits > 0 ? 1 : 0;
        }
        Set<Integer> shown = most(
                probes,
                probe -> hitsBefore[probe],
                this::nanos,
                Timings::maxNanos,
                probe -> rate[probe] * governor.hitsPerSecond(probe) * governor.sampleNanos(probe));
        int room = shown.size() + ORDERED;
        for (int probe = 1; probe < probes && shown.size() < room; probe++) {
            if (governor.stance(probe) != Stance.FREE) {
                shown.add(probe);
            }
        }
        return shown;
    }

    /** What all calls took, as far as those that were sampled tell. */
    private double nanos(int probe) {
        int samples = samplesBefore[probe];
        return samples == 0 ? 0 : (double) hitsBefore[probe] * Timings.nanos(probe) / samples;
    }

    /** Those with the most of each figure, largest first, one figure after the other; none that has nothing of it. */
    static Set<Integer> most(int probes, IntToDoubleFunction... figures) {
        Set<Integer> most = new LinkedHashSet<>();
        for (IntToDoubleFunction figure : figures) {
            Comparator<Integer> order = Comparator.comparingDouble(figure::applyAsDouble);
            PriorityQueue<Integer> largest = new PriorityQueue<>(order);
            for (int probe = 1; probe < probes; probe++) {
                if (figure.applyAsDouble(probe) > 0) {
                    largest.add(probe);
                    if (largest.size() > EACH) {
                        largest.poll();
                    }
                }
            }
            List<Integer> sorted = new ArrayList<>(largest);
            sorted.sort(order.reversed());
            most.addAll(sorted);
        }
        return most;
    }

    /** How many were called at all, when they were looked at last. */
    int called() {
        return called;
    }

    /** Which part of the probe's calls was sampled between the last two looks, 0 to 1. */
    double rate(int probe) {
        return rate[probe];
    }
}

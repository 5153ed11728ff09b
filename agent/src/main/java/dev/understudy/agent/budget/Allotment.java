package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Probes;

/**
 * Which probes share the budget at this tick, and how many samples per second each gets.
 *
 * <p>Part of the budget is set aside as a floor, so that every method that is hit is seen now and then, however
 * dear it is. Guarded by the {@link Governor}.
 */
final class Allotment {
    private static final double FLOOR_PER_SECOND = 0.2;
    private static final double FLOOR_SHARE = 0.1;

    private final int[] probes = new int[Probes.CAPACITY];
    private final double[] weight = new double[Probes.CAPACITY];
    private final double[] cost = new double[Probes.CAPACITY];
    private final double[] floor = new double[Probes.CAPACITY];
    private final double[] most = new double[Probes.CAPACITY];
    private final double[] samples = new double[Probes.CAPACITY];
    private int count;

    void clear() {
        count = 0;
    }

    void add(int probe, double hitsPerSecond, double secondsPerSample) {
        probes[count] = probe;
        weight[count] = 1;
        cost[count] = secondsPerSample;
        most[count] = hitsPerSecond;
        count++;
    }

    /** Divides the budget, in core seconds per second; the price of it is returned. */
    double divide(WaterFilling filling, double budget) {
        double dear = 0;
        for (int i = 0; i < count; i++) {
            floor[i] = Math.min(most[i], FLOOR_PER_SECOND);
            dear += floor[i] * cost[i];
        }
        double scale = Math.min(1, dear == 0 ? 1 : budget * FLOOR_SHARE / dear);
        for (int i = 0; i < count; i++) {
            floor[i] *= scale;
        }
        return filling.divide(count, weight, cost, floor, most, budget, samples);
    }

    /** Sets the periods of the probes that share; their samples per second together are returned. */
    double arm() {
        double all = 0;
        for (int i = 0; i < count; i++) {
            all += samples[i];
            double share = samples[i] / most[i];
            Probes.arm(probes[i], share <= 1e-9 ? 0 : (int) Math.max(1, Math.round(1 / share)));
        }
        return all;
    }
}

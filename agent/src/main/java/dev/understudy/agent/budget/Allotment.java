package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Probes;

/**
 * Which probes share the budget at this tick, and how many samples per second each gets.
 *
 * <p>Part of the budget is set aside as a floor, so that every method that is hit is seen now and then, however
 * dear it is, and a larger part for those the operator has armed. Guarded by the {@link Governor}.
 */
final class Allotment {
    private static final double FLOOR_PER_SECOND = 0.2;
    private static final double FLOOR_SHARE = 0.1;
    /** What armed probes are given before anything else, as long as it is no more than this share of the budget. */
    private static final double ARMED_PER_SECOND = 20;

    private static final double ARMED_SHARE = 0.5;

    private final int[] probes = new int[Probes.CAPACITY];
    private final double[] weight = new double[Probes.CAPACITY];
    private final double[] cost = new double[Probes.CAPACITY];
    private final double[] floor = new double[Probes.CAPACITY];
    private final boolean[] armed = new boolean[Probes.CAPACITY];
    private final double[] most = new double[Probes.CAPACITY];
    private final double[] samples = new double[Probes.CAPACITY];
    private int count;

    void clear() {
        count = 0;
    }

    /**
     * One more of them.
     *
     * @param itsWeight what its information weighs, beside 1 of others
     */
    void add(int probe, double itsWeight, double hitsPerSecond, double secondsPerSample, boolean isArmed) {
        probes[count] = probe;
        weight[count] = itsWeight;
        cost[count] = secondsPerSample;
        most[count] = hitsPerSecond;
        armed[count] = isArmed;
        count++;
    }

    /** Divides the budget, in core seconds per second; the price of it is returned. */
    double divide(WaterFilling filling, double budget) {
        setAside(false, FLOOR_PER_SECOND, budget * FLOOR_SHARE);
        setAside(true, ARMED_PER_SECOND, budget * ARMED_SHARE);
        return filling.divide(count, weight, cost, floor, most, budget, samples);
    }

    private void setAside(boolean ofArmed, double perSecond, double share) {
        double dear = 0;
        for (int i = 0; i < count; i++) {
            if (armed[i] == ofArmed) {
                floor[i] = Math.min(most[i], perSecond);
                dear += floor[i] * cost[i];
            }
        }
        double scale = dear <= share ? 1 : share / dear;
        for (int i = 0; i < count; i++) {
            floor[i] *= armed[i] == ofArmed ? scale : 1;
        }
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

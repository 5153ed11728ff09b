package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Credit;
import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.bootstrap.Timings;

/**
 * What probes cost, in nanoseconds of a core: first measured on a probe of the agent's own, then corrected per
 * probe by what its samples really took.
 *
 * <p>A sixteenth of all samples time the agent's own work in them. That leaves out the call and a clock reading,
 * so it isn't taken as it is but compared with the same figure of the calibration.
 */
public final class Costs {
    private static final int PROBE = 0;
    private static final int PASSES = 10;
    private static final int COUNTS = 50_000;
    private static final int SAMPLES = 5_000;
    private static final double DEAREST = 50;

    private final double countNanos;
    private final double sampleNanos;
    private final double selfNanos;
    private final double[] factors = new double[Probes.CAPACITY];
    private final int[] measured = new int[Probes.CAPACITY];
    private final long[] self = new long[Probes.CAPACITY];

    /** Costs as given; with {@code selfNanos} at 0 they stay as they are. */
    Costs(double countNanos, double sampleNanos, double selfNanos) {
        this.countNanos = countNanos;
        this.sampleNanos = sampleNanos;
        this.selfNanos = selfNanos;
    }

    /** Measures on this thread, in some 20 ms; what probe 0 counts is its own. */
    public static Costs calibrated() {
        for (int i = 0; i < Probes.TRAINING; i++) {
            Probes.exit(Probes.enter(PROBE));
        }
        Probes.arm(PROBE, 1 << 29);
        double count = perCall(COUNTS);
        Credit.set(Integer.MAX_VALUE);
        Probes.arm(PROBE, 1);
        perCall(SAMPLES);
        int timed = Timings.measured(PROBE);
        long took = Timings.selfNanos(PROBE);
        double sample = perCall(SAMPLES);
        double selfMean = (double) (Timings.selfNanos(PROBE) - took) / Math.max(1, Timings.measured(PROBE) - timed);
        Probes.arm(PROBE, 0);
        Credit.set(0);
        return new Costs(Math.max(0.5, count), Math.max(10, sample), Math.max(10, selfMean));
    }

    /** Takes in what the probe's samples took since the last call. */
    void learn(int probe) {
        int samples = Timings.measured(probe) - measured[probe];
        if (samples <= 0 || selfNanos == 0) {
            return;
        }
        long nanos = Timings.selfNanos(probe) - self[probe];
        measured[probe] += samples;
        self[probe] += nanos;
        double factor = Math.max(0.5, Math.min(DEAREST, nanos / (samples * selfNanos)));
        double before = factors[probe] == 0 ? 1 : factors[probe];
        factors[probe] = before + Math.min(0.5, 0.05 * samples) * (factor - before);
    }

    /** What counting one call costs. */
    public double countNanos() {
        return countNanos;
    }

    /** What one sample of the probe costs. */
    public double sampleNanos(int probe) {
        return factors[probe] == 0 ? sampleNanos : sampleNanos * factors[probe];
    }

    /** The cheapest of ten passes: the first are interpreted, and on a busy machine some are interrupted. */
    private static double perCall(int calls) {
        long least = Long.MAX_VALUE;
        for (int pass = 0; pass < PASSES; pass++) {
            long start = System.nanoTime();
            for (int i = 0; i < calls; i++) {
                Probes.exit(Probes.enter(PROBE));
            }
            least = Math.min(least, System.nanoTime() - start);
        }
        return (double) least / calls;
    }
}

package dev.understudy.sidecar.simulate;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * What a number of independent runs of one queue came to.
 *
 * @param runs how many there were, at least 1
 * @param overflowed how many of them overflowed within the horizon
 * @param mean seconds until the overflow, averaged over those that did; NaN if none did
 * @param halfWidth half the width of the mean's 95 % confidence interval, in seconds; NaN with fewer than two
 */
record Overflows(int runs, int overflowed, double mean, double halfWidth) {
    private static final double NORMAL_95 = 1.959964;

    /** Two-sided 95 % quantiles of Student's distribution for 1 to 30 degrees of freedom. */
    private static final double[] STUDENT_95 = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
        2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    /** Runs {@code queue} that often, each with random numbers of its own; the same seed gives the same result. */
    static Overflows of(Queue queue, int runs, double horizon, long seed) {
        SplittableRandom seeds = new SplittableRandom(seed);
        double[] times = new double[runs];
        for (int run = 0; run < runs; run++) {
            times[run] = queue.overflowsAfter(seeds.split(), horizon);
        }
        return of(times);
    }

    static Overflows of(double[] times) {
        double[] finite = Arrays.stream(times).filter(Double::isFinite).toArray();
        int n = finite.length;
        double mean = Arrays.stream(finite).average().orElse(Double.NaN);
        double squares =
                Arrays.stream(finite).map(time -> (time - mean) * (time - mean)).sum();
        double half = n < 2 ? Double.NaN : quantile(n - 1) * Math.sqrt(squares / (n - 1) / n);
        return new Overflows(times.length, n, mean, half);
    }

    /** Whether every run overflowed, so that the mean says what the closed form does. */
    boolean all() {
        return overflowed == runs;
    }

    private static double quantile(int freedom) {
        return freedom <= STUDENT_95.length ? STUDENT_95[freedom - 1] : NORMAL_95;
    }
}

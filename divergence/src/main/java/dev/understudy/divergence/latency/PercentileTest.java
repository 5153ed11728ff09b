package dev.understudy.divergence.latency;

/**
 * Whether a percentile of one side differs from the other's: of all values that exceed that percentile of both sides
 * together, does one side have more than its share? By Fisher's exact test of the four counts.
 *
 * <p>That two distributions differ says nothing of their tails, which people ask for; so a change of the 99th
 * percentile has a probability of its own.
 *
 * @param percent which one
 * @param production production's percentile
 * @param debug debug's
 * @param p how likely counts at least as uneven are if both sides are alike, from 0 to 1
 */
public record PercentileTest(double percent, double production, double debug, double p) {

    /**
     * Compares two samples.
     *
     * @param percent above 0, at most 100
     * @throws IllegalStateException if either is empty
     */
    public static PercentileTest compare(double percent, LatencySample production, LatencySample debug) {
        double threshold = production.with(debug).percentile(percent);
        long n = production.size();
        long m = debug.size();
        long above = n - production.atMost(threshold);
        long aboveInAll = above + m - debug.atMost(threshold);
        return new PercentileTest(
                percent, production.percentile(percent), debug.percentile(percent), fisher(n, m, aboveInAll, above));
    }

    /** By how much debug's is larger, as a share of production's; infinite if production's is 0 and debug's isn't. */
    public double change() {
        return debug == production ? 0 : debug / production - 1;
    }

    /**
     * Of {@code n + m} things {@code k} are marked: how likely are {@code seen} of these, or something as unlikely,
     * among the first {@code n}? Weights are those of the hypergeometric distribution relative to its likeliest
     * value's.
     */
    static double fisher(long n, long m, long k, long seen) {
        long least = Math.max(0, k - m);
        long most = Math.min(k, n);
        long mode = Math.min(most, Math.max(least, (long) ((k + 1.0) * (n + 1.0) / (n + m + 2.0))));
        double limit = 1;
        for (long x = mode; x < seen && limit > 0; x++) {
            limit *= ratio(n, m, k, x);
        }
        for (long x = mode; x > seen && limit > 0; x--) {
            limit /= ratio(n, m, k, x - 1);
        }
        limit *= 1 + 1e-9;
        double total = 1;
        double unlikely = 1 <= limit ? 1 : 0;
        double weight = 1;
        for (long x = mode; x < most && weight > 0; x++) {
            weight *= ratio(n, m, k, x);
            total += weight;
            unlikely += weight <= limit ? weight : 0;
        }
        weight = 1;
        for (long x = mode; x > least && weight > 0; x--) {
            weight /= ratio(n, m, k, x - 1);
            total += weight;
            unlikely += weight <= limit ? weight : 0;
        }
        return Math.min(1, unlikely / total);
    }

    /** How much likelier {@code x + 1} is than {@code x}. */
    private static double ratio(long n, long m, long k, long x) {
        return (double) (k - x) * (n - x) / ((x + 1.0) * (m - k + x + 1.0));
    }
}

package dev.understudy.divergence.latency;

/**
 * Whether one side's values are larger than the other's in general, whatever their distribution (H. B. Mann and D. R.
 * Whitney, Annals of Mathematical Statistics 18, 1947), with ties.
 *
 * <p>Up to {@value #EXACT} values in all the probability is exact, over all ways to tell the values apart into two
 * sides; beyond, it is the normal approximation with the corrections for ties and for continuity. Both take the values
 * as independent, which latencies of neighbouring requests aren't quite.
 *
 * @param u of how many pairs the debug value is the larger one; those that are equal count half
 * @param p how likely a {@code u} at least as far from the middle is if both sides are alike, from 0 to 1
 * @param delta Cliff's delta: how much more often debug's value is larger than smaller, of all pairs; from -1 to 1
 */
public record MannWhitney(double u, double p, double delta) {
    private static final int EXACT = 40;

    /**
     * Compares two samples.
     *
     * @throws IllegalArgumentException if either is empty
     */
    public static MannWhitney compare(LatencySample production, LatencySample debug) {
        return compare(production, debug, EXACT);
    }

    /** @param exactly up to how many values in all every way is counted */
    static MannWhitney compare(LatencySample production, LatencySample debug, int exactly) {
        double n = production.size();
        double m = debug.size();
        if (n == 0 || m == 0) {
            throw new IllegalArgumentException("%.0f and %.0f values (expected: some of each)".formatted(n, m));
        }
        LatencySample both = production.with(debug);
        double u = 0;
        double ties = 0;
        for (double value : both.values()) {
            double equal = production.times(value);
            u += debug.times(value) * (production.atMost(value) - equal / 2);
            double tied = both.times(value);
            ties += tied * tied * tied - tied;
        }
        double p = n + m <= exactly ? exact(both, (int) m, u) : approximate(n, m, ties, u);
        return new MannWhitney(u, p, 2 * u / (n * m) - 1);
    }

    /** How large the effect is, in the words of J. Romano and others (2006): negligible, small, medium or large. */
    public String size() {
        double far = Math.abs(delta);
        if (far < 0.147) {
            return "negligible";
        }
        return far < 0.33 ? "small" : far < 0.474 ? "medium" : "large";
    }

    private static double approximate(double n, double m, double ties, double u) {
        double all = n + m;
        double variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));
        double far = Math.max(0, Math.abs(u - n * m / 2) - 0.5);
        return variance <= 0 ? 1 : Normal.outside(far / Math.sqrt(variance));
    }

    /** Counts the ways to choose debug's {@code m} values of all, by the sum of their doubled ranks. */
    private static double exact(LatencySample both, int m, double u) {
        int all = (int) both.size();
        double[][] ways = new double[m + 1][all * (all + 1) + 1];
        ways[0][0] = 1;
        int seen = 0;
        for (double value : both.values()) {
            int tied = (int) both.times(value);
            choose(ways, tied, 2 * seen + tied + 1, Math.min(m, seen + tied));
            seen += tied;
        }
        double middle = (double) m * (all - m) / 2;
        double far = Math.abs(u - middle);
        double total = 0;
        double asFar = 0;
        for (int sum = 0; sum < ways[m].length; sum++) {
            total += ways[m][sum];
            double itsU = (sum - (double) m * (m + 1)) / 2;
            asFar += Math.abs(itsU - middle) >= far - 1e-9 ? ways[m][sum] : 0;
        }
        return Math.min(1, asFar / total);
    }

    /** Lets 0 to {@code tied} of as many equal values be among the chosen ones. */
    private static void choose(double[][] ways, int tied, int doubledRank, int most) {
        for (int chosen = most; chosen > 0; chosen--) {
            double combinations = 1;
            for (int now = 1; now <= Math.min(tied, chosen); now++) {
                combinations = combinations * (tied - now + 1) / now;
                double[] from = ways[chosen - now];
                int shift = now * doubledRank;
                for (int sum = ways[chosen].length - 1; sum >= shift; sum--) {
                    ways[chosen][sum] += combinations * from[sum - shift];
                }
            }
        }
    }
}

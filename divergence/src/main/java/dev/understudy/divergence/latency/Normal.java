package dev.understudy.divergence.latency;

/** The standard normal distribution. */
final class Normal {
    private static final double FAR = 3;
    private static final int TERMS = 200;

    private Normal() {}

    /** How likely a value is at least that far from 0, on either side. */
    static double outside(double z) {
        double x = Math.abs(z);
        double density = Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
        if (x >= FAR) {
            return 2 * density * millsRatio(x);
        }
        double term = x; // density · (x + x³/3 + x⁵/(3·5) + …) is what lies between 0 and x
        double sum = x;
        for (int odd = 3; odd < TERMS; odd += 2) {
            term *= x * x / odd;
            sum += term;
        }
        return Math.min(1, Math.max(0, 1 - 2 * density * sum));
    }

    /** Laplace's continued fraction 1/(x + 1/(x + 2/(x + 3/…))), from its far end. */
    private static double millsRatio(double x) {
        double fraction = x;
        for (int k = TERMS; k > 0; k--) {
            fraction = x + k / fraction;
        }
        return 1 / fraction;
    }
}

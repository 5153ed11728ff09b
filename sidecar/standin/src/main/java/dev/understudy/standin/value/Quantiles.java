package dev.understudy.standin.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How numbers are distributed: their quantiles at fixed shares, between which they are taken as evenly spread.
 * Immutable. The shares lie closer where the tail is.
 */
public record Quantiles(List<Double> values) {
    /** The shares. */
    private static final double[] SHARES = {
        0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1
    };

    private static final double FINE = 1e4;

    /**
     * Quantiles in a file.
     *
     * @param values one for all shares, or one for each share, not falling
     */
    public Quantiles {
        values = List.copyOf(values);
        if (values.size() != 1 && values.size() != SHARES.length) {
            throw new IllegalArgumentException(values.size() + " quantiles (expected: 1, or " + SHARES.length + ": "
                    + Arrays.toString(SHARES) + ")");
        }
        for (int i = 0; i < values.size(); i++) {
            double value = values.get(i);
            if (!(value >= 0) || Double.isInfinite(value) || (i > 0 && value < values.get(i - 1))) {
                throw new IllegalArgumentException(value + " (expected: quantiles >= 0 that don't fall)");
            }
        }
    }

    /** The same number always. */
    public static Quantiles always(double value) {
        return new Quantiles(List.of(value));
    }

    /**
     * Those of samples, to four decimals.
     *
     * @param samples at least one, of at least 0, in any order; not changed
     */
    public static Quantiles of(double[] samples) {
        double[] sorted = samples.clone();
        Arrays.sort(sorted);
        if (sorted[0] == sorted[sorted.length - 1]) {
            return always(round(sorted[0]));
        }
        List<Double> values = new ArrayList<>();
        for (double share : SHARES) {
            double place = share * (sorted.length - 1);
            int below = (int) place;
            double above = sorted[Math.min(below + 1, sorted.length - 1)];
            values.add(round(sorted[below] + (place - below) * (above - sorted[below])));
        }
        return new Quantiles(values);
    }

    /**
     * The number below which a share lies.
     *
     * @param share 0 to 1
     */
    public double at(double share) {
        if (values.size() == 1) {
            return values.get(0);
        }
        int above = 1;
        while (above < SHARES.length - 1 && SHARES[above] < share) {
            above++;
        }
        double within = (share - SHARES[above - 1]) / (SHARES[above] - SHARES[above - 1]);
        return values.get(above - 1) + within * (values.get(above) - values.get(above - 1));
    }

    /** Their mean, as they are taken. */
    public double mean() {
        if (values.size() == 1) {
            return values.get(0);
        }
        double sum = 0;
        for (int i = 1; i < SHARES.length; i++) {
            sum += (SHARES[i] - SHARES[i - 1]) * (values.get(i) + values.get(i - 1)) / 2;
        }
        return sum;
    }

    private static double round(double value) {
        return Math.round(value * FINE) / FINE;
    }
}

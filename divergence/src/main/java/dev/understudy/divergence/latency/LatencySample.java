package dev.understudy.divergence.latency;

import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was measured of one side: values, and how often each. In any unit; two that are compared have the same.
 * Immutable.
 */
public final class LatencySample {
    private final double[] values; // ascending, each once
    private final long[] below; // below[i]: how many are smaller than values[i]; one more than values: all

    private LatencySample(SortedMap<Double, Long> counts) {
        values = new double[counts.size()];
        below = new long[counts.size() + 1];
        int i = 0;
        for (Map.Entry<Double, Long> each : counts.entrySet()) {
            if (each.getKey().isNaN() || each.getValue() <= 0) {
                throw new IllegalArgumentException(each + " (expected: a number, more than 0 times)");
            }
            values[i] = each.getKey();
            below[i + 1] = below[i] + each.getValue();
            i++;
        }
    }

    /** Single values, in any order. */
    public static LatencySample of(double... values) {
        SortedMap<Double, Long> counts = new TreeMap<>();
        for (double value : values) {
            counts.merge(value, 1L, Long::sum);
        }
        return new LatencySample(counts);
    }

    /**
     * Values with how often each was measured.
     *
     * @throws IllegalArgumentException if one is no number, or wasn't measured at all
     */
    public static LatencySample counted(Map<Double, Long> counts) {
        return new LatencySample(new TreeMap<>(counts));
    }

    /** How many were measured. */
    public long size() {
        return below[values.length];
    }

    /** How many of them are at most {@code value}. */
    public long atMost(double value) {
        int found = Arrays.binarySearch(values, value);
        return found >= 0 ? below[found + 1] : below[-found - 1];
    }

    /**
     * The smallest value that {@code percent} of them don't exceed.
     *
     * @param percent above 0, at most 100
     * @throws IllegalStateException if nothing was measured
     */
    public double percentile(double percent) {
        if (values.length == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        long rank = Math.max(1, (long) Math.ceil(size() * percent / 100 - 1e-9));
        int i = 0;
        while (below[i + 1] < rank) {
            i++;
        }
        return values[i];
    }

    /** The different values, ascending. */
    public double[] values() {
        return values.clone();
    }

    /** All of both. */
    LatencySample with(LatencySample other) {
        SortedMap<Double, Long> counts = new TreeMap<>();
        for (LatencySample each : new LatencySample[] {this, other}) {
            for (int i = 0; i < each.values.length; i++) {
                counts.merge(each.values[i], each.below[i + 1] - each.below[i], Long::sum);
            }
        }
        return new LatencySample(counts);
    }

    /** How often exactly that value was measured. */
    long times(double value) {
        int found = Arrays.binarySearch(values, value);
        return found < 0 ? 0 : below[found + 1] - below[found];
    }
}

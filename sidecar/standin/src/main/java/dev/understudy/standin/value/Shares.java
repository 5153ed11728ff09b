package dev.understudy.standin.value;

/** Shares as models have them. */
public final class Shares {
    private static final double FINE = 1e4;

    private Shares() {}

    /**
     * A part of a whole to four decimals, at least 0.0001 and at most 1.
     *
     * @param part at least 1
     */
    public static double of(long part, long whole) {
        return Math.min(1, Math.max(1 / FINE, Math.round(part * FINE / whole) / FINE));
    }
}

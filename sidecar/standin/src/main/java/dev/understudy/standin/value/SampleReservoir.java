package dev.understudy.standin.value;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Keeps a fair sample of numbers, however many there are; the same numbers leave the same sample. */
public final class SampleReservoir {
    private final double[] kept;
    private final SplittableRandom random = new SplittableRandom(1);
    private long count;

    /**
     * An empty one.
     *
     * @param most how many numbers are kept
     */
    public SampleReservoir(int most) {
        kept = new double[most];
    }

    /** Adds a number of at least 0. */
    public void add(double number) {
        long place = count < kept.length ? count : random.nextLong(count + 1);
        if (place < kept.length) {
            kept[(int) place] = number;
        }
        count++;
    }

    /** Adds what another has kept. */
    void addAll(SampleReservoir other) {
        for (double number : other.kept()) {
            add(number);
        }
    }

    /** How many were added. */
    public long count() {
        return count;
    }

    /** Those that were kept. */
    public double[] kept() {
        return Arrays.copyOf(kept, (int) Math.min(count, kept.length));
    }

    /** How they are distributed; always 0 if there are none. */
    public Quantiles quantiles() {
        return count == 0 ? Quantiles.always(0) : Quantiles.of(kept());
    }
}

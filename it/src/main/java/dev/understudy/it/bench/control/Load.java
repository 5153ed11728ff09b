package dev.understudy.it.bench.control;

import java.util.ArrayList;
import java.util.Locale;
import java.util.Random;

/**
 * When requests come.
 *
 * @param share of what production can serve: on average, and of the growing one in the end
 */
record Load(Shape shape, double share) {
    /** Every so often it bursts. */
    private static final double CYCLE_SECONDS = 4;

    private static final double BURST_SECONDS = 0.2;
    private static final double BURST = 5;
    private static final double MEAN = 1 + BURST_SECONDS / CYCLE_SECONDS * (BURST - 1);
    private static final double LEAST = 0.2;

    /** How the rate goes. */
    enum Shape {
        /** At a steady pace. */
        CONSTANT,
        /** At random, five times as many now and then. */
        BURSTY,
        /** From a fifth of it. */
        GROWING
    }

    /**
     * The moments, in seconds from the start, in order.
     *
     * @param capacity requests a second
     */
    double[] arrivals(double capacity, double seconds, Random random) {
        ArrayList<Double> moments = new ArrayList<>();
        double owed = next(random);
        double step = 1e-4;
        for (int i = 0; i * step < seconds; i++) {
            double now = i * step;
            owed -= rate(now, seconds) * capacity * step;
            for (; owed <= 0; owed += next(random)) {
                moments.add(now);
            }
        }
        return moments.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private double next(Random random) {
        return shape == Shape.BURSTY ? -Math.log1p(-random.nextDouble()) : 1;
    }

    private double rate(double now, double seconds) {
        return switch (shape) {
            case CONSTANT -> share;
            case BURSTY -> share / MEAN * (now % CYCLE_SECONDS < CYCLE_SECONDS - BURST_SECONDS ? 1 : BURST);
            case GROWING -> share * (LEAST + (1 - LEAST) * now / seconds);
        };
    }

    @Override
    public String toString() {
        return shape.name().toLowerCase(Locale.ROOT) + ", " + Math.round(share * 100) + " %";
    }
}

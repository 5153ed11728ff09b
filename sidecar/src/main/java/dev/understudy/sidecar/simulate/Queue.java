package dev.understudy.sidecar.simulate;

import java.util.SplittableRandom;

/**
 * The window as a queue, simulated event by event: requests arrive, wait in a buffer of {@code capacity}, and are
 * answered one after the other. It overflows when {@code capacity + 1} are there.
 *
 * @param arrivals how requests come
 * @param arrivalRate requests a second, greater than 0
 * @param serviceRate requests a second that the debug JVM can answer, greater than 0
 * @param capacity requests that fit in, at least 1
 */
record Queue(Arrivals arrivals, double arrivalRate, double serviceRate, long capacity) {
    private static final double ROUNDING = 1e-6;

    /** How requests come. */
    enum Arrivals {
        /** At random: times between them are exponentially distributed, as are the service times (M/M/1/K). */
        POISSON,
        /** At a steady pace, and each takes as long as the last (D/D/1/K). */
        STEADY
    }

    Queue {
        if (!(arrivalRate > 0) || !(serviceRate > 0)) {
            throw new IllegalArgumentException(
                    "rates: " + arrivalRate + " and " + serviceRate + " a second (expected: > 0)");
        }
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity + " requests (expected: >= 1)");
        }
    }

    /**
     * Seconds until the buffer, empty at first, overflows; infinite if it doesn't within {@code horizon} seconds.
     *
     * <p>The next event is drawn from what the queue is doing: with exponential times that is a race of two rates,
     * which needs no list of events.
     */
    double overflowsAfter(SplittableRandom random, double horizon) {
        return arrivals == Arrivals.POISSON ? poisson(random, horizon) : steady(horizon);
    }

    private double poisson(SplittableRandom random, double horizon) {
        double busyRate = arrivalRate + serviceRate;
        double arrivesFirst = arrivalRate / busyRate;
        double now = 0;
        long waiting = 0;
        while (now <= horizon) {
            if (waiting == 0) {
                now += exponential(random, arrivalRate);
                waiting = 1;
            } else {
                now += exponential(random, busyRate);
                waiting += random.nextDouble() < arrivesFirst ? 1 : -1;
            }
            if (waiting > capacity) {
                return now > horizon ? Double.POSITIVE_INFINITY : now;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    private double steady(double horizon) {
        double between = 1 / arrivalRate;
        double service = 1 / serviceRate;
        double done = 0;
        for (long n = 0; n * between <= horizon && serviceRate < arrivalRate; n++) {
            double now = n * between;
            done = Math.max(done, now) + service;
            if ((done - now) / service > capacity + ROUNDING) {
                return now;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    private static double exponential(SplittableRandom random, double rate) {
        return -Math.log1p(-random.nextDouble()) / rate;
    }
}

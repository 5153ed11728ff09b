package dev.understudy.sidecar.window;

import java.time.Duration;

/**
 * The expected time until a queue of {@code capacity} exchanges overflows for the first time.
 *
 * <p>Arrivals and services are taken as Poisson (M/M/1/K), as the window study of the thesis does (seed 002, section
 * 3.4.2). With r = service rate / arrival rate and n = capacity + 1, from an empty queue:
 * E[T] = (r(rⁿ−1)/(r−1)² − n/(r−1)) / λ, and n(n+1)/(2λ) when r = 1. From m waiting exchanges it is E[T] for n less
 * E[T] for m, since a queue reaches n only through m.
 */
public final class OverflowTime {
    /** Beyond this the window counts as lasting. */
    public static final Duration IN_SIGHT = Duration.ofHours(24);

    private static final int BISECTIONS = 60;

    private OverflowTime() {}

    /**
     * Seconds until {@code capacity + 1} exchanges wait, when {@code waiting} do now; infinite if that takes longer
     * than a double can say or nothing arrives.
     *
     * @param arrivalRate exchanges per second
     * @param serviceRate exchanges per second that debug can answer
     */
    public static double seconds(double arrivalRate, double serviceRate, double capacity, double waiting) {
        if (arrivalRate <= 0) {
            return Double.POSITIVE_INFINITY;
        }
        double full = capacity + 1;
        if (waiting >= full) {
            return 0;
        }
        double ratio = serviceRate / arrivalRate;
        double whole = steps(ratio, full);
        if (Double.isInfinite(whole)) {
            return Double.POSITIVE_INFINITY;
        }
        return (whole - steps(ratio, Math.max(0, waiting))) / arrivalRate;
    }

    /**
     * How many exchanges a second debug has to answer for the queue, empty at first, to last {@code seconds} on
     * average; 0 if it does so even where nothing is answered, infinite if no double is enough.
     *
     * @param capacity exchanges that fit in, above 0
     */
    public static double serviceRate(double arrivalRate, double capacity, double seconds) {
        if (seconds(arrivalRate, 0, capacity, 0) >= seconds) {
            return 0;
        }
        double low = 0;
        double high = arrivalRate;
        while (seconds(arrivalRate, high, capacity, 0) < seconds) {
            low = high;
            high *= 2;
        }
        for (int i = 0; i < BISECTIONS && Double.isFinite(high); i++) {
            double middle = (low + high) / 2;
            if (seconds(arrivalRate, middle, capacity, 0) < seconds) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** Says {@code seconds} as a person would: "overflows in 4 min 12 s", or "not in sight". */
    public static String words(double seconds) {
        if (!(seconds < IN_SIGHT.toSeconds())) {
            return "not in sight";
        }
        long whole = (long) seconds;
        long hours = whole / 3600;
        long minutes = whole / 60 % 60;
        if (hours > 0) {
            return "overflows in " + hours + " h " + minutes + " min";
        }
        return minutes > 0
                ? "overflows in " + minutes + " min " + whole % 60 + " s"
                : "overflows in " + whole % 60 + " s";
    }

    /** λ·E[T] from empty to n: the expected number of arrivals until n wait. */
    private static double steps(double r, double n) {
        double off = r - 1;
        if (Math.abs(off) * n < 1e-4) {
            return n * (n + 1) / 2 + off * (n - 1) * n * (n + 1) / 6;
        }
        return r * (Math.pow(r, n) - 1) / (off * off) - n / off;
    }
}

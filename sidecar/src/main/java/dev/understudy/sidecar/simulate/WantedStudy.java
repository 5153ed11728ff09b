package dev.understudy.sidecar.simulate;

import dev.understudy.sidecar.window.OverflowTime;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * How much slower debug may be for a window of a wanted length, and what share of a core that leaves to looking.
 *
 * <p>One exchange after the other takes 1/service without a probe. What probes take, a share B of a core, is spread
 * over those that arrive, so that each takes B/rate longer (seed 002, section 6.5.1: the slow-down is what
 * instrumentation may cost as long as debug keeps up).
 */
public final class WantedStudy {
    private final double rate;
    private final double service;
    private final long capacity;
    private final Duration wanted;

    /**
     * A study of Poisson arrivals.
     *
     * @param rate requests a second that arrive
     * @param service requests a second that production can answer
     * @param capacity requests that fit into the window
     * @throws IllegalArgumentException if one of them is out of range; the message names it
     */
    public WantedStudy(double rate, double service, long capacity, Duration wanted) {
        if (!(rate > 0) || !(service > 0) || capacity < 1) {
            throw new IllegalArgumentException("rates: " + rate + " and " + service + " a second, capacity: " + capacity
                    + " requests (expected: all > 0)");
        }
        this.rate = rate;
        this.service = service;
        this.capacity = capacity;
        this.wanted = wanted;
    }

    /**
     * How many times slower debug may be; below 1 if not even production's speed is enough, infinite if it may stand.
     */
    public double slowDown() {
        return service / OverflowTime.serviceRate(rate, (double) capacity, wanted.toMillis() / 1e3);
    }

    /** The share of a core that looking may take while requests are answered one after the other; not below 0. */
    public double budget() {
        return Math.max(0, rate * (slowDown() - 1) / service);
    }

    /** What came of it, one string a line. */
    public List<String> lines() {
        String load = String.format(
                Locale.ROOT,
                "%.1f requests/s arrive, production answers %.1f/s, %d requests fit in",
                rate,
                service,
                capacity);
        String length = Seconds.words(wanted.toMillis() / 1e3);
        double slowDown = slowDown();
        if (slowDown < 1) {
            double least = OverflowTime.seconds(rate, service, (double) capacity, 0);
            return List.of(
                    load, "a window of " + length + " can't be had: without a probe it lasts " + Seconds.words(least));
        }
        if (Double.isInfinite(slowDown)) {
            return List.of(load, "a window of " + length + " holds everything that comes: debug may stand");
        }
        return List.of(
                load,
                String.format(
                        Locale.ROOT,
                        "for a window of %s debug may be %.2f times slower: budget=%.3f, a share of a core",
                        length,
                        slowDown,
                        budget()));
    }
}

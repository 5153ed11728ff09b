package dev.understudy.sidecar.simulate;

import dev.understudy.sidecar.simulate.Queue.Arrivals;
import dev.understudy.sidecar.window.OverflowTime;
import java.util.List;
import java.util.Locale;

/** One load of one's own: how long the window lasts, by the closed form and by simulation. */
public final class OwnStudy {
    private final Queue queue;
    private final double slowDown;
    private final double horizon;
    private final int runs;
    private final long seed;

    /**
     * A study of Poisson arrivals.
     *
     * @param rate requests a second that arrive
     * @param service requests a second that production can answer
     * @param slowDown how many times slower debug is, at least 1
     * @param capacity requests that fit into the window
     * @throws IllegalArgumentException if one of them is out of range; the message names it
     */
    public OwnStudy(double rate, double service, double slowDown, long capacity, double horizon, int runs, long seed) {
        if (!(slowDown >= 1)) {
            throw new IllegalArgumentException("slow-down: " + slowDown + " (expected: at least 1)");
        }
        this.queue = new Queue(Arrivals.POISSON, rate, service / slowDown, capacity);
        this.slowDown = slowDown;
        this.horizon = horizon;
        this.runs = runs;
        this.seed = seed;
    }

    /** What came of it, one string a line. */
    public List<String> lines() {
        double closed = OverflowTime.seconds(queue.arrivalRate(), queue.serviceRate(), (double) queue.capacity(), 0);
        Overflows simulated = Overflows.of(queue, runs, horizon, seed);
        return List.of(
                String.format(
                        Locale.ROOT,
                        "%.1f requests/s arrive, debug answers %.1f/s (%.1f times slower), %d requests fit in",
                        queue.arrivalRate(),
                        queue.serviceRate(),
                        slowDown,
                        queue.capacity()),
                "closed form: " + Seconds.words(closed),
                String.format(
                        Locale.ROOT,
                        "simulated:   %s (%d of %d runs overflowed within %s)",
                        Seconds.words(simulated),
                        simulated.overflowed(),
                        simulated.runs(),
                        Seconds.words(horizon)));
    }
}

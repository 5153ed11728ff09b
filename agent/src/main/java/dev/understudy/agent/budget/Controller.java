package dev.understudy.agent.budget;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How large a share of one core the probes may use, from how far the debug JVM lags behind.
 *
 * <p>Additive increase, multiplicative decrease (design, section 4). Above {@code HIGH} the budget halves, near the
 * limit it goes straight to zero, below {@code LOW} it grows; between them it shrinks by a step until the backlog gets
 * smaller, then it stays. It grows twofold up to half of what it was when it was last cut, and to its maximum as long
 * as nothing ever cut it, then by a step; as TCP's slow start does (RFC 5681): a failure in a service's first seconds
 * is missed otherwise. Utilisation is judged as it will be in one second if it goes on rising. After a decrease the
 * budget doesn't grow for a second, after zero for two.
 *
 * <p>How far the debug JVM may be behind is the operator's to say, a second unless he does: with a longer lag than that
 * which still grows the budget halves, with less than a quarter of it the budget grows. While the window has room the
 * budget never falls under a floor, a sixty-fourth of its maximum, however long the lag is: that is enough to see every
 * method now and then, and too little to cause a lag. A lag of less than five times what it may be leaves an eighth: a
 * debug JVM also lags because it waits, for locks say, which no smaller budget changes. Without word from the sidecar
 * nothing is known about the window, so the budget is zero then: the safe choice, since a closed window loses the
 * exchange and a missed sample doesn't.
 *
 * <p>If the sidecar says how long the window is to last, the budget is never above what the model allows for that
 * ({@link Proactive}).
 *
 * <p>With fixed sampling the window is only looked at: the budget is its maximum all the time, and one call in so many
 * is sampled.
 *
 * <p>Time is passed in as {@link System#nanoTime()}. Not safe for several threads.
 */
public final class Controller {
    static final double LOW = 0.25;
    static final double HIGH = 0.5;
    static final double LIMIT = 0.85;
    static final Duration LAG = Duration.ofSeconds(1);

    private static final long SECOND = 1_000_000_000L;
    private static final long SILENCE = SECOND;
    private static final long HALVING = SECOND / 5;
    private static final double STEPS = 50;
    private static final double FLOOR = 1.0 / 64;
    /** A lag alone, while the window has room, isn't the probes' doing if there are as few as that. */
    private static final double LAGGING = 1.0 / 8;

    private double max;
    private double floor;
    private int oneIn;
    /**
     * The lag from which on it halves; with less than a quarter it may grow, with five times as much only the floor is
     * left.
     */
    private long highLagMillis;

    private final Proactive proactive = new Proactive();
    private double budget;
    private double ceiling;
    /** Up to here it grows twofold. */
    private double threshold;

    private String why = "waiting for the sidecar's first word";
    private @Nullable WindowReading last;
    private long lastAt;
    private long halvedAt;
    private long growFrom;
    private double trend;

    /** A controller that never allows more than {@code max} of a core; it begins at zero. */
    public Controller(double max, long now) {
        this(max, 0, LAG, now);
    }

    private Controller(double max, int oneIn, Duration lag, long now) {
        this.max = max;
        this.oneIn = oneIn;
        this.highLagMillis = lag.toMillis();
        this.ceiling = max;
        this.threshold = max;
        this.floor = max * FLOOR;
        this.growFrom = now;
        this.halvedAt = now - SECOND;
    }

    /**
     * A controller as the operator wants it.
     *
     * @param oneIn of how many calls one is sampled, whatever becomes of the window; 0 if the budget decides
     * @param lag how far behind the debug JVM may be before that costs it samples
     */
    public static Controller of(double max, int oneIn, Duration lag, long now) {
        Controller controller = new Controller(max, oneIn, lag, now);
        if (oneIn > 0) {
            controller.budget = max;
            controller.why = controller.fixed();
        }
        return controller;
    }

    /**
     * The operator wants something else from now on; what is more than before is grown to.
     *
     * @param newOneIn as of {@link #of}
     * @param lag as of {@link #of}
     */
    public void limit(double newMax, int newOneIn, Duration lag, long now) {
        highLagMillis = lag.toMillis();
        if (newMax == max && newOneIn == oneIn) {
            return;
        }
        boolean wasFixed = oneIn > 0;
        max = newMax;
        floor = newMax * FLOOR;
        ceiling = newMax;
        threshold = newMax;
        oneIn = newOneIn;
        if (oneIn > 0) {
            budget = max;
            why = fixed();
        } else if (wasFixed) {
            zero(now, "the budget decides again");
        } else {
            budget = Math.min(budget, max);
            why = "the largest budget was changed";
        }
    }

    private String fixed() {
        return "fixed sampling, 1/" + oneIn + ": the window isn't heeded";
    }

    /** Takes a reading of the window. */
    public void reading(WindowReading reading, long now) {
        if (oneIn > 0) {
            last = reading;
            lastAt = now;
            return;
        }
        ceiling = proactive.allows(reading.flow(), max);
        learnTrend(reading, now);
        WindowReading before = last == null ? new WindowReading(0, 0) : last;
        last = reading;
        lastAt = now;
        double utilisation = reading.utilisation();
        double expected = utilisation + Math.max(0, trend);
        long lag = reading.lagMillis();
        if (utilisation >= LIMIT) {
            zero(now, "the window is nearly full");
        } else if (expected >= LIMIT && utilisation >= LOW && utilisation > before.utilisation()) {
            zero(now, "the window would be nearly full within a second");
        } else if (lag >= highLagMillis * 5) {
            lower(floor, now, "%.1f s behind: the least that shows every method", lag / 1e3);
        } else if (expected >= HIGH && utilisation >= LOW) {
            halve(now, floor, "the window fills: halved");
        } else if (lag >= highLagMillis && lag > before.lagMillis()) {
            halve(now, max * LAGGING, "falling behind: halved");
        } else if (utilisation <= LOW && lag <= highLagMillis / 4) {
            grow(now);
        } else if (utilisation > LOW && utilisation >= before.utilisation()) {
            shrink(now);
        } else {
            hold(now);
        }
        if (budget > ceiling || (budget == ceiling && ceiling < max)) {
            budget = ceiling;
            why = Proactive.why(reading.flow());
        }
    }

    /** Probes used such a share of a core in the last {@code seconds}. */
    public void spent(double share, double seconds) {
        proactive.spent(share, seconds);
    }

    /** Lets time pass; without a reading for a second the budget is zero. */
    public void tick(long now) {
        if (last != null && now - lastAt > SILENCE) {
            last = null;
            trend = 0;
            if (oneIn == 0) {
                zero(now, "no word from the sidecar");
            }
        }
    }

    /** The share of one core that probes may use now. */
    public double budget() {
        return budget;
    }

    /** As much as samples may cost however dear counting is, unless the budget is less. */
    public double floor() {
        return floor;
    }

    /** The largest budget. */
    public double max() {
        return max;
    }

    /** Of how many calls one is sampled, whatever the budget is; 0 if the budget decides. */
    public int oneIn() {
        return oneIn;
    }

    /** The last reading, or null while the sidecar isn't heard. */
    public @Nullable WindowReading last() {
        return last;
    }

    /** Why the budget is what it is, in a few words. */
    public String why() {
        return why;
    }

    private void learnTrend(WindowReading reading, long now) {
        if (last == null || now <= lastAt) {
            return;
        }
        double perSecond = (reading.utilisation() - last.utilisation()) * SECOND / Math.max(now - lastAt, SECOND / 20);
        trend += 0.3 * (perSecond - trend);
    }

    private void zero(long now, String reason) {
        why = reason;
        cutTo(0);
        growFrom = now + 2 * SECOND;
    }

    private void lower(double to, long now, String reason, double figure) {
        why = String.format(Locale.ROOT, reason, figure);
        if (budget > to) {
            growFrom = now + 2 * SECOND;
            cutTo(to);
        } else if (now - growFrom >= 0) {
            budget = to;
        }
    }

    private void halve(long now, double least, String reason) {
        why = reason;
        growFrom = Math.max(growFrom, now + SECOND);
        if (now - halvedAt >= HALVING) {
            halvedAt = now;
            cutTo(Math.min(budget, Math.max(least, budget / 2)));
        }
    }

    private void cutTo(double to) {
        threshold = to < budget ? budget / 2 : threshold;
        budget = to;
    }

    private void shrink(long now) {
        hold(now);
        why = "a backlog stands: shrinking";
        budget = Math.min(budget, Math.max(floor, budget - max / STEPS));
    }

    private void hold(long now) {
        why = "holding";
        if (budget < floor && now - growFrom >= 0) {
            budget = floor;
        }
    }

    private void grow(long now) {
        if (now - growFrom < 0) {
            why = String.format(Locale.ROOT, "recovering: grows in %.1f s", (growFrom - now) / 1e9);
            return;
        }
        budget = Math.min(max, Math.max(budget + max / STEPS, Math.min(2 * budget, threshold)));
        why = budget == max ? "the window is wide open" : "the window has room: growing";
    }
}

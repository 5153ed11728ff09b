package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Observations;
import dev.understudy.agent.bootstrap.ServedExchanges;

/**
 * How many exchanges are observed whole, and what that costs: a part of the budget of its own, since an exchange of
 * which only some calls were seen says little about what wasn't called.
 *
 * <p>The cost of a call is tried at the start; how many calls an exchange has, and what ending it takes, is measured
 * all the time. Guarded by the {@link Governor}.
 */
public final class Observing {
    /** Of what is left for samples. */
    private static final double SHARE = 0.5;
    /** An exchange nobody has seen yet is taken to have so many calls. */
    private static final double FIRST_CALLS = 500;

    private static final double BURST = 4;
    private static final int SCARCE = 1_000;
    private static final int LONGEST = 1 << 20;

    private final double callNanos;
    private double begunPerSecond;
    private double spentPerSecond;
    private double nanosOfOne;
    private long begun;
    private long taken;
    private long calls;
    private long branches;
    private long endNanos;

    /** One that takes observing a call to cost so much. */
    Observing(double callNanos) {
        this.callNanos = callNanos;
        this.nanosOfOne = FIRST_CALLS * callNanos;
        this.begun = ServedExchanges.begun();
        this.taken = Observations.taken();
        this.calls = Observations.calls();
        this.branches = Observations.branches();
        this.endNanos = Observations.endNanos();
    }

    /** Tries on this thread, in some 20 ms, what observing a call costs. */
    public static Observing calibrated() {
        double callNanos = Math.max(10, Observations.callNanos());
        Observations.price(callNanos, Observations.countedNanos());
        return new Observing(callNanos);
    }

    /** Takes in the last {@code seconds}; what observing cost in them, in nanoseconds, is returned. */
    double learn(double seconds) {
        long begunNow = ServedExchanges.begun();
        long takenNow = Observations.taken();
        long callsNow = Observations.calls();
        long branchesNow = Observations.branches();
        long endNow = Observations.endNanos();
        double rate = (begunNow - begun) / seconds;
        begunPerSecond = Math.max(rate, begunPerSecond + 0.3 * (rate - begunPerSecond));
        double nanos = (callsNow - calls) * callNanos
                + (branchesNow - branches) * Observations.branchPrice()
                + (endNow - endNanos);
        long more = takenNow - taken;
        if (more > 0) {
            nanosOfOne += Math.min(0.5, 0.05 * more) * (nanos / more - nanosOfOne);
        }
        spentPerSecond += 0.3 * (nanos / seconds - spentPerSecond);
        begun = begunNow;
        taken = takenNow;
        calls = callsNow;
        branches = branchesNow;
        endNanos = endNow;
        return nanos;
    }

    /** Has one exchange in so many observed, whatever that costs. */
    void oneIn(int period) {
        Observations.allow(period, Integer.MAX_VALUE);
    }

    /**
     * Decides which part of the exchanges is observed from now on.
     *
     * @param budget what is left, as a share of one core; 0 ends it
     * @return what samples must leave to it, as a share of one core
     */
    double allow(double budget) {
        double share = budget * SHARE;
        if (share <= 0) {
            Observations.allow(0, 0);
            return 0;
        }
        double perSecond = share * 1e9 / Math.max(1, nanosOfOne);
        int period = (int) Math.max(1, Math.min(LONGEST, Math.ceil(begunPerSecond / perSecond)));
        double callsPerTick = share * 1e9 / callNanos * Governor.TICK_MILLIS / 1000;
        Observations.allow(period, (int) Math.min(Integer.MAX_VALUE, BURST * callsPerTick + SCARCE));
        return Math.min(share, spentPerSecond / 1e9);
    }
}

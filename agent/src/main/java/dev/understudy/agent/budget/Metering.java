package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.measure.Meter;

/**
 * How many of the samples are measured beside their time, and what that costs: a cost class of its own, since reading
 * what a thread has used takes several times what a sample does. Guarded by the {@link Governor}.
 */
public final class Metering {
    /** Of what is left for samples. */
    private static final double SHARE = 0.1;

    private static final int LONGEST = 1 << 20;

    private boolean on;
    private double nanosOfOne;
    private double spentPerSecond;
    private long taken = Meter.taken();
    private long nanos = Meter.nanos();

    /** @param triedNanos what measuring a call cost when it was tried; 0 if nothing is measured */
    public Metering(double triedNanos) {
        tried(triedNanos);
    }

    /** Something else is measured from now on, at that price in nanoseconds when it was tried; 0 if nothing is. */
    final void tried(double nanos) {
        on = nanos > 0;
        nanosOfOne = Math.max(20, nanos);
    }

    /** Takes in the last {@code seconds}; what measuring cost in them, in nanoseconds, is returned. */
    double learn(double seconds) {
        long more = Meter.nanos() - nanos;
        long calls = Meter.taken() - taken;
        nanos += more;
        taken += calls;
        if (calls > 0) {
            nanosOfOne += Math.min(0.5, 0.02 * calls) * (Math.max(20, (double) more / calls) - nanosOfOne);
        }
        spentPerSecond += 0.3 * (more / seconds - spentPerSecond);
        return more;
    }

    /**
     * Decides how many of the samples are measured from now on.
     *
     * @param budget what is left, as a share of one core; 0 ends it
     * @param samplesPerSecond how many samples there may be
     * @return what samples must leave to it, as a share of one core
     */
    double allow(double budget, double samplesPerSecond) {
        double share = Math.max(0, budget) * SHARE;
        if (!on || share <= 0) {
            Meter.allow(0, 0);
            return 0;
        }
        double perSecond = share * 1e9 / nanosOfOne;
        int oneIn = (int) Math.max(1, Math.min(LONGEST, Math.ceil(samplesPerSecond / perSecond)));
        Meter.allow(oneIn, nanosOfOne);
        return Math.min(share, spentPerSecond / 1e9);
    }

    /** What measuring a call costs, in nanoseconds; 0 if nothing is measured. */
    double nanosOfOne() {
        return on ? nanosOfOne : 0;
    }
}

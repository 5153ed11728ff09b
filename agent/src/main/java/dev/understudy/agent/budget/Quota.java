package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.bootstrap.measure.Quotas;
import java.time.Duration;

/**
 * How many calls of each method are sampled in each interval before chance decides, as long as a part of the budget
 * pays for that: a leaky bucket per method (FPerf). Dividing by rates can't see a method that wakes up between two
 * ticks; this does.
 *
 * <p>Guarded by the {@link Governor}.
 */
public final class Quota {
    /** Of what is left for samples. */
    private static final double SHARE = 0.25;

    private static final int SCARCE = 16;

    private final int samples;
    private final double dripSeconds;
    private double sinceDrip;
    private double perSecond;
    private double credit = SCARCE;
    private double spentPerSecond;
    private long taken = Quotas.taken();

    /** So many samples per method and interval; none if 0. */
    public Quota(int samples, Duration interval) {
        this.samples = Math.min(Quotas.MOST, samples);
        this.dripSeconds = samples == 0 ? 0 : interval.toNanos() / 1e9 / samples;
    }

    /** Takes in the last {@code seconds}, in which the quota's samples cost so much each, in nanoseconds. */
    void learn(double seconds, double nanosOfOne) {
        long more = Quotas.taken() - taken;
        taken += more;
        credit = Math.min(Math.max(SCARCE, perSecond), credit - more + perSecond * seconds);
        spentPerSecond += 0.3 * (more * nanosOfOne / seconds - spentPerSecond);
        sinceDrip = Math.min(samples * dripSeconds, sinceDrip + seconds);
    }

    /**
     * Lets the buckets drip, and says how many may be taken until the next tick.
     *
     * @param probes the smallest number no probe has yet
     * @param budget what is left, as a share of one core; 0 ends it
     * @param nanosOfOne what a sample of the quota costs
     * @return what other samples must leave to it, as a share of one core
     */
    double allow(int probes, double budget, double nanosOfOne) {
        double share = Math.max(0, budget) * SHARE;
        if (samples == 0 || share <= 0) {
            perSecond = 0;
            Quotas.credit(0);
            return 0;
        }
        perSecond = share * 1e9 / nanosOfOne;
        Quotas.credit((int) Math.max(0, credit));
        if (sinceDrip >= dripSeconds) {
            for (; sinceDrip >= dripSeconds; sinceDrip -= dripSeconds) {
                Quotas.drip(probes, samples);
            }
            Probes.hasten(probes);
        }
        return Math.min(share, spentPerSecond / 1e9);
    }

    /** How many samples per method and interval; 0 if there is no quota. */
    int samples() {
        return samples;
    }
}

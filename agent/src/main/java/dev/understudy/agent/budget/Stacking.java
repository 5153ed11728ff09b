package dev.understudy.agent.budget;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How often the stacks of threads that serve exchanges are taken, and what that costs: a small part of the budget,
 * since it is paid by the whole JVM, which stands still meanwhile.
 *
 * <p>Each time is charged with how long it took, for each thread that was looked at. {@link #took}, {@link #limit} and
 * {@link #perSecond} are for any thread; the rest is guarded by the {@link Governor}.
 */
public final class Stacking {
    /** Of what is left for samples. */
    private static final double SHARE = 0.1;
    /** What taking stacks costs before it was tried. */
    private static final double FIRST_NANOS = 500_000;

    private volatile double most;
    private final AtomicLong times = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();
    private volatile double perSecond;
    private long timesSeen;
    private long nanosSeen;
    private double nanosOfOne = FIRST_NANOS;
    private double spentPerSecond;

    /** At most so often a second; 0 for never. */
    public Stacking(double most) {
        this.most = most;
    }

    /** How often stacks may be taken now; 0 if not at all. */
    public double perSecond() {
        return perSecond;
    }

    /** From now on they may be taken so often a second at most; any thread. */
    public void limit(double newMost) {
        most = newMost;
    }

    /** How often they may be taken at most. */
    public double most() {
        return most;
    }

    /** They were taken once, and cost so much of all threads' time together. */
    public void took(long nanosOfThreads) {
        nanos.addAndGet(nanosOfThreads);
        times.incrementAndGet();
    }

    /** Takes in the last {@code seconds}; what taking stacks cost in them, in nanoseconds, is returned. */
    double learn(double seconds) {
        long moreTimes = times.get() - timesSeen;
        long more = nanos.get() - nanosSeen;
        timesSeen += moreTimes;
        nanosSeen += more;
        if (moreTimes > 0) {
            double one = (double) more / moreTimes;
            nanosOfOne += (one > nanosOfOne ? 0.5 : 0.1) * (one - nanosOfOne);
        }
        spentPerSecond += 0.3 * (more / seconds - spentPerSecond);
        return more;
    }

    /**
     * Decides how often they are taken from now on.
     *
     * @param budget what is left, as a share of one core; 0 ends it
     * @return what samples must leave to it, as a share of one core
     */
    double allow(double budget) {
        double share = Math.max(0, budget) * SHARE;
        perSecond = Math.min(most, share * 1e9 / Math.max(1, nanosOfOne));
        return Math.min(share, spentPerSecond / 1e9);
    }
}

package dev.understudy.standin.load;

import dev.understudy.standin.value.Quantiles;
import java.util.SplittableRandom;

/**
 * Says when requests are due. Gaps are drawn as production has them, then stretched so that a block of them lasts as
 * long as the rate demands. Without that the rate of a short run would be a matter of luck. Confined to one thread.
 */
final class ArrivalTimes {
    private static final int BLOCK = 10_000;
    private static final double SECOND = 1e9;

    private final Quantiles gaps;
    private final double period;
    private final SplittableRandom random;
    private double[] block = {};
    private int used;
    private long left;
    private double next;

    /**
     * Times of a run.
     *
     * @param gaps in any unit, between requests that follow each other
     * @param perSecond the mean rate
     * @param count how many requests there are
     */
    ArrivalTimes(Quantiles gaps, double perSecond, long count, SplittableRandom random) {
        this.gaps = gaps;
        this.period = SECOND / perSecond;
        this.left = count;
        this.random = random;
    }

    /** When the next request is due: nanoseconds since the first one. */
    long next() {
        if (used == block.length) {
            fill();
        }
        double due = next;
        next += block[used++];
        return (long) due;
    }

    private void fill() {
        block = new double[(int) Math.max(1, Math.min(BLOCK, left))];
        left -= block.length;
        used = 0;
        double sum = 0;
        for (int i = 0; i < block.length; i++) {
            block[i] = gaps.at(random.nextDouble());
            sum += block[i];
        }
        for (int i = 0; i < block.length; i++) {
            block[i] = sum > 0 ? block[i] * period * block.length / sum : period;
        }
    }
}

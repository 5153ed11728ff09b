package dev.understudy.standin.learn;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * How many requests a service works on at the same time, from when they came and ended.
 *
 * <p>With a pool of that size a request begins when it comes, or when one before it ends. A smaller pool is refuted by
 * requests that ended before they could have begun. A size counts if one worker less is refuted often and requests
 * that waited took as long as others, or if the times of work then differ less than times with waiting do.
 */
final class WorkerEstimate {
    /** Where the order isn't quite first come, first served. */
    private static final double SELDOM = 0.0005;

    private static final double OFTEN = 0.01;
    private static final double LESS_DISPERSED = 0.8;
    private static final double LEAST_ALIKE = 0.8;
    private static final double MOST_ALIKE = 1.25;
    private static final int LEAST_WAITED = 50;
    private static final int MOST_WORKERS = 256;
    /** More tell no more, and would take long. */
    private static final int MOST_LOOKED_AT = 200_000;

    private final long[] arrived;
    private final long[] ended;

    /** What a size of the pool would mean. */
    private record Assumed(double refuted, int waited, double dispersion, double waitedByOthers) {
        /** Whether requests that waited then took as long as others. */
        boolean isAlike() {
            return waitedByOthers >= LEAST_ALIKE && waitedByOthers <= MOST_ALIKE;
        }
    }

    /**
     * Of requests in the order in which they came.
     *
     * @param arrived when each came, in nanoseconds
     * @param ended when each ended, not before it came
     */
    WorkerEstimate(long[] arrived, long[] ended) {
        this.arrived = arrived.clone();
        this.ended = ended.clone();
    }

    /** The size of the pool; 0 if no limit shows. */
    int workers() {
        double unlimited = assume(0).dispersion();
        int best = 0;
        double least = LESS_DISPERSED * unlimited;
        double refutedBefore = 1;
        for (int workers = 1; workers <= MOST_WORKERS; workers++) {
            Assumed assumed = assume(workers);
            if (assumed.waited() < LEAST_WAITED) {
                break;
            }
            if (assumed.refuted() <= SELDOM) {
                if (refutedBefore >= OFTEN && assumed.isAlike()) {
                    return workers;
                }
                if (assumed.dispersion() < least) {
                    best = workers;
                    least = assumed.dispersion();
                }
            }
            refutedBefore = assumed.refuted();
        }
        return best;
    }

    /**
     * When the work on each began, if there is a pool of that size.
     *
     * @param workers 0 for no limit
     */
    long[] begun(int workers) {
        return begun(workers, arrived.length);
    }

    private long[] begun(int workers, int count) {
        long[] begun = Arrays.copyOf(arrived, count);
        if (workers == 0) {
            return begun;
        }
        PriorityQueue<Long> busyUntil = new PriorityQueue<>();
        for (int i = 0; i < begun.length; i++) {
            if (busyUntil.size() == workers) {
                Long free = busyUntil.poll();
                begun[i] = Math.max(arrived[i], free == null ? 0 : free);
            }
            busyUntil.add(Math.max(ended[i], begun[i]));
        }
        return begun;
    }

    private Assumed assume(int workers) {
        long[] begun = begun(workers, Math.min(arrived.length, MOST_LOOKED_AT));
        int refuted = 0;
        int waited = 0;
        double sum = 0;
        double waitedSum = 0;
        double squares = 0;
        for (int i = 0; i < begun.length; i++) {
            double own = Math.max(0, ended[i] - begun[i]);
            refuted += begun[i] > ended[i] ? 1 : 0;
            if (begun[i] > arrived[i]) {
                waited++;
                waitedSum += own;
            }
            sum += own;
            squares += own * own;
        }
        double mean = sum / begun.length;
        double dispersion = mean == 0 ? 0 : squares / begun.length / (mean * mean) - 1;
        double others = (sum - waitedSum) / Math.max(1, begun.length - waited);
        return new Assumed(
                (double) refuted / begun.length, waited, dispersion, waitedSum / Math.max(1, waited) / others);
    }
}

package dev.understudy.observatory.bottleneck;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * How well one resource fits the rise of one queue, and how often it would by chance.
 *
 * <p>The statistic is a lagged rank statistic: the mean score of the resource's windows, each weighted by how much the
 * queue grew in it, from the beginning of the rise to its top; the resource may be some windows ahead, and the best lag
 * counts. A queue grows while its resource is saturated. What only follows from it (connections that wait) is high when
 * the queue is long, and what works off a backlog is busy after the top, so that both score less.
 *
 * <p>By chance is what comes out where the resource is shifted against the queue to any other place of the run without
 * a bottleneck. A shift keeps the resource's order, and so its autocorrelation, as permuting single windows would not.
 * Immutable.
 */
final class ResourceTest {
    /** Windows before the rise that the correlation is taken over at least. */
    private static final int LEAST_BEFORE = 10;

    /** So many higher scores are enough: a probability that is clearly too large isn't found more exactly. */
    private static final int ENOUGH = 20;

    private final WindowRanks queue;
    private final int first;
    private final int last;
    private final int before;
    private final int lags;
    private final double[] weights;
    private final int[] places;

    /**
     * A test of the windows from {@code onset} to {@code top} of the tier whose queue grew most.
     *
     * @param queue that tier's queue, too
     * @param taken which windows belong to any bottleneck
     * @param most how many places are tried
     */
    ResourceTest(
            QueueWindows windows,
            WindowRanks queue,
            int onset,
            int top,
            boolean[] taken,
            int lags,
            int most,
            long seed) {
        this.queue = queue;
        this.lags = Math.min(lags, windows.count() - 1);
        first = Math.min(windows.count() - 1, Math.max(this.lags, onset));
        last = Math.max(first, Math.min(windows.count() - 1, top));
        before = Math.min(first - this.lags, Math.max(LEAST_BEFORE, 2 * (last - first + 1)));
        weights = new double[last - first + 1];
        double all = 0;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = Math.max(0, windows.arrivals(first + i) - windows.departures(first + i));
            all += weights[i];
        }
        for (int i = 0; i < weights.length; i++) {
            weights[i] = all == 0 ? 1.0 / weights.length : weights[i] / all;
        }
        places = places(taken, most, seed);
    }

    private int[] places(boolean[] taken, int most, long seed) {
        int[] free = new int[taken.length];
        int count = 0;
        int since = 0;
        for (int end = 0; end < taken.length; end++) {
            since = taken[end] ? 0 : since + 1;
            if (since >= weights.length + lags) {
                free[count++] = end - weights.length + 1;
            }
        }
        SplittableRandom random = new SplittableRandom(seed);
        int wanted = Math.min(most, count);
        for (int i = 0; i < wanted; i++) {
            int other = i + random.nextInt(count - i);
            int moved = free[i];
            free[i] = free[other];
            free[other] = moved;
        }
        return Arrays.copyOf(free, wanted);
    }

    /** How many places there are to compare with. */
    int places() {
        return places.length;
    }

    /** The best lag, in windows; -1 if the resource isn't known then. */
    int lag(WindowRanks resource) {
        int best = -1;
        double most = Double.NEGATIVE_INFINITY;
        for (int lag = 0; lag <= lags; lag++) {
            double score = score(resource, first - lag);
            if (score > most) {
                most = score;
                best = lag;
            }
        }
        return best;
    }

    /** The statistic where the resource's window {@code from} meets the first one of the queue; NaN if unknown. */
    double score(WindowRanks resource, int from) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] > 0) {
                sum += weights[i] * resource.score(from + i);
            }
        }
        return sum;
    }

    /** The statistic at a lag. */
    double scoreAt(WindowRanks resource, int lag) {
        return score(resource, first - lag);
    }

    /** The probability of a score as high by chance. */
    double chance(WindowRanks resource, double observed) {
        int higher = 0;
        int tried = 0;
        for (int i = 0; i < places.length && higher < ENOUGH; i++) {
            double best = Double.NaN;
            for (int lag = 0; lag <= lags; lag++) {
                double score = score(resource, places[i] - lag);
                best = Double.isNaN(best) || score > best ? score : best;
            }
            if (!Double.isNaN(best)) {
                tried++;
                higher += best >= observed - 1e-9 ? 1 : 0;
            }
        }
        return (1.0 + higher) / (1.0 + tried);
    }

    /** Spearman's rank correlation of the windows from before the rise to its top. */
    double correlation(WindowRanks resource, int lag) {
        double[] ours = new double[before + weights.length];
        double[] theirs = new double[ours.length];
        for (int i = 0; i < ours.length; i++) {
            ours[i] = queue.value(first - before + i);
            theirs[i] = resource.value(first - before + i - lag);
        }
        return correlation(ranks(ours), ranks(theirs));
    }

    private static double[] ranks(double[] values) {
        double[] ranks = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            for (double other : values) {
                ranks[i] += other < values[i] ? 1 : other == values[i] ? 0.5 : 0;
            }
        }
        return ranks;
    }

    private static double correlation(double[] a, double[] b) {
        double meanA = Arrays.stream(a).average().orElse(0);
        double meanB = Arrays.stream(b).average().orElse(0);
        double both = 0;
        double squareA = 0;
        double squareB = 0;
        for (int i = 0; i < a.length; i++) {
            both += (a[i] - meanA) * (b[i] - meanB);
            squareA += (a[i] - meanA) * (a[i] - meanA);
            squareB += (b[i] - meanB) * (b[i] - meanB);
        }
        return squareA == 0 || squareB == 0 ? 0 : both / Math.sqrt(squareA * squareB);
    }
}

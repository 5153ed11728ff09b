package dev.understudy.it.bench.standin;

import dev.understudy.standin.load.LoadFigures;
import java.util.Arrays;
import java.util.List;

/**
 * What one run of load showed of a server.
 *
 * @param perSecond requests that were sent
 * @param processorMillis of the server, by request
 * @param bytes of a reply's body, on average
 */
public record LoadPoint(
        double perSecond, double mean, double p95, double p99, double processorMillis, double bytes, long failed) {
    static LoadPoint of(LoadFigures figures, long processorNanos) {
        double replies = Math.max(1, figures.replies());
        return new LoadPoint(
                figures.reachedPerSecond(),
                figures.meanMillis(),
                figures.percentileMillis(95),
                figures.percentileMillis(99),
                processorNanos / 1e6 / replies,
                figures.bytes() / replies,
                figures.errorCount() + figures.dropped());
    }

    /** The median of each figure over several runs. */
    static LoadPoint median(List<LoadPoint> points) {
        return new LoadPoint(
                middle(points.stream().mapToDouble(LoadPoint::perSecond).toArray()),
                middle(points.stream().mapToDouble(LoadPoint::mean).toArray()),
                middle(points.stream().mapToDouble(LoadPoint::p95).toArray()),
                middle(points.stream().mapToDouble(LoadPoint::p99).toArray()),
                middle(points.stream().mapToDouble(LoadPoint::processorMillis).toArray()),
                middle(points.stream().mapToDouble(LoadPoint::bytes).toArray()),
                points.stream().mapToLong(LoadPoint::failed).sum());
    }

    private static double middle(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}

package dev.understudy.sidecar.report.flame;

import dev.understudy.divergence.latency.LatencySample;
import java.util.Locale;
import java.util.Map;

/**
 * How long one side takes, in milliseconds. Immutable.
 *
 * @param count of how many exchanges; 0 if nothing is known
 */
public record FlameTimes(long count, double median, double p99) {
    static FlameTimes of(Map<Double, Long> millis) {
        if (millis.isEmpty()) {
            return new FlameTimes(0, 0, 0);
        }
        LatencySample sample = LatencySample.counted(millis);
        return new FlameTimes(sample.size(), sample.percentile(50), sample.percentile(99));
    }

    /** {@code median 4.1 ms, p99 12 ms}. */
    @Override
    public String toString() {
        return count == 0 ? "isn't known" : "median " + millis(median) + ", p99 " + millis(p99);
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, millis < 10 ? "%.2f ms" : "%.0f ms", millis);
    }
}

package dev.understudy.sidecar.report.flame;

import dev.understudy.divergence.latency.LatencySample;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long one side takes, in milliseconds. Immutable.
 *
 * @param count of how many exchanges; 0 if nothing is known
 */
public record FlameTimes(long count, double median, double p99) {
    /** Nothing is known. */
    public static final FlameTimes NONE = new FlameTimes(0, 0, 0);

    /**
     * From how often it took how many microseconds.
     *
     * @param micros counts that aren't positive are left out
     */
    public static FlameTimes ofMicros(Map<Long, Long> micros) {
        Map<Double, Long> millis = new TreeMap<>();
        micros.forEach((time, count) -> {
            if (count > 0) {
                millis.put(time / 1000.0, count);
            }
        });
        return of(millis);
    }

    private static FlameTimes of(Map<Double, Long> millis) {
        if (millis.isEmpty()) {
            return NONE;
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

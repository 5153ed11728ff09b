package dev.understudy.sidecar.finding;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * How long one side took: all times in microseconds, to two digits, up to an hour; some 10 KB. For one thread at a
 * time.
 */
final class Micros {
    private static final long LONGEST = TimeUnit.HOURS.toMicros(1);

    private final Histogram counts = new Histogram(2);

    void add(double millis) {
        counts.recordValue(Math.min(LONGEST, Math.max(0, Math.round(millis * 1000))));
    }

    /** Each time with how often it was measured. */
    Map<Long, Long> read() {
        Map<Long, Long> read = new TreeMap<>();
        for (HistogramIterationValue each : counts.recordedValues()) {
            read.put(counts.medianEquivalentValue(each.getValueIteratedTo()), each.getCountAtValueIteratedTo());
        }
        return read;
    }
}

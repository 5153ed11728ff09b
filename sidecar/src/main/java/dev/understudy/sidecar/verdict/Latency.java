package dev.understudy.sidecar.verdict;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;

/** The latencies of one side in microseconds, to three digits, up to an hour. Safe for use by several threads. */
public final class Latency {
    private static final long LONGEST = TimeUnit.HOURS.toMicros(1);

    private final ConcurrentHistogram micros = new ConcurrentHistogram(LONGEST, 3);

    /** Adds one. */
    public void record(long nanos) {
        micros.recordValue(Math.min(LONGEST, Math.max(0, nanos / 1000)));
    }

    /** The latency that the given percentage doesn't exceed, in milliseconds; 0 before the first one. */
    public double percentile(double percentage) {
        return micros.getValueAtPercentile(percentage) / 1000.0;
    }

    /** How many took at most so long, rounded to three digits. */
    public long within(double seconds) {
        long most = Math.round(seconds * 1e6); // the largest long for what is infinite
        return micros.getCountBetweenValues(0, Math.min(LONGEST, most));
    }

    /** The longest, in milliseconds. */
    public double max() {
        return micros.getMaxValue() / 1000.0;
    }
}

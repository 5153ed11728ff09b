package dev.understudy.it.bench.load;

import dev.understudy.it.bench.process.CpuTimes;
import dev.understudy.it.bench.subject.Subject;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one run of one workload against one subject took.
 *
 * @param operations requests, or bytes for a bulk transfer
 * @param cpuNanos of all processes in between
 * @param relayNanos of the threads in between that serve production
 * @param latency in nanoseconds, from the moment a request was due; null where the load tool doesn't tell
 */
public record Sample(
        long operations,
        long failed,
        double seconds,
        long cpuNanos,
        long relayNanos,
        @Nullable Histogram latency) {
    public double cpuPerOperation() {
        return (double) cpuNanos / operations;
    }

    public double relayPerOperation() {
        return (double) relayNanos / operations;
    }

    public double perSecond() {
        return operations / seconds;
    }

    public double latencyMicros(double percentile) {
        return latency == null ? Double.NaN : latency.getValueAtPercentile(percentile) / 1000.0;
    }

    /** Measures the CPU time that {@code subject} takes from now until {@link Meter#end}. */
    public static Meter begin(Subject subject) {
        return new Meter(subject, subject.cpu(), System.nanoTime());
    }

    /** A measurement that has begun. */
    public record Meter(Subject subject, CpuTimes before, long begun) {
        Sample end(long operations, long failed, @Nullable Histogram latency) {
            double seconds = (System.nanoTime() - begun) / 1e9;
            CpuTimes after = subject.cpu();
            return new Sample(
                    operations,
                    failed,
                    seconds,
                    after.since(before, ""),
                    after.since(before, subject.relayThreads()),
                    latency);
        }
    }
}

package dev.understudy.agent.bootstrap.measure;

import java.util.concurrent.atomic.AtomicLongArray;

/** What was measured of one probe's calls, together. For any threads. */
public final class Totals {
    private final AtomicLongArray sums = new AtomicLongArray(Meter.KINDS);
    private final AtomicLongArray counts = new AtomicLongArray(Meter.KINDS);

    Totals() {}

    void add(int kind, long value) {
        sums.getAndAdd(kind, value);
        counts.getAndIncrement(kind);
    }

    /** Of how many calls that kind was measured. */
    public long count(int kind) {
        return counts.get(kind);
    }

    /** The mean of that kind; 0 if it was never measured. */
    public double mean(int kind) {
        long count = counts.get(kind);
        return count == 0 ? 0 : (double) sums.get(kind) / count;
    }
}

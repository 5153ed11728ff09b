package dev.understudy.observatory.node.kernel;

import java.util.Arrays;

/** Counters as they were at the sample before and as they are now. One thread. */
public final class Counters {
    private long[] before;
    private long[] now;

    /** So many counters, of which nothing is known. */
    public Counters(int count) {
        before = new long[count];
        now = new long[count];
        Arrays.fill(before, KernelText.NONE);
        Arrays.fill(now, KernelText.NONE);
    }

    /** Begins a sample: what is now is what was before, and nothing is known of now. */
    public void next() {
        long[] spare = before;
        before = now;
        now = spare;
        Arrays.fill(now, KernelText.NONE);
    }

    /** Sets a counter; {@link KernelText#NONE} where it can't be read. */
    public void set(int counter, long value) {
        now[counter] = value;
    }

    /** Adds to a counter, from 0 if nothing was known of it; nothing if the value is {@link KernelText#NONE}. */
    public void add(int counter, long value) {
        if (value >= 0) {
            now[counter] = Math.max(0, now[counter]) + value;
        }
    }

    /** What a counter is now. */
    public long get(int counter) {
        return now[counter];
    }

    /** By how much it rose; NaN if that isn't known, or it fell, as one that was reset. */
    public double rise(int counter) {
        long from = before[counter];
        long to = now[counter];
        return from < 0 || to < from ? Double.NaN : (double) (to - from);
    }
}

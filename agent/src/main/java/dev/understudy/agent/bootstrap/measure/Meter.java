package dev.understudy.agent.bootstrap.measure;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the running thread has used so far: CPU time, allocated bytes, counters of the processor or the kernel.
 *
 * <p>That costs more than a sample itself, so only some of the samples are measured. {@link #admit} is for any thread,
 * and what it gives reads on the thread that asked; the rest is for the agent's.
 */
public abstract class Meter {
    /** CPU time, in nanoseconds. */
    public static final int CPU = 0;
    /** Bytes allocated on the heap. */
    public static final int ALLOCATED = 1;
    /** The first of the counters; which they are, the agent knows. */
    public static final int COUNTERS = 2;
    /** How many kinds there can be. */
    public static final int KINDS = 6;

    private static final int TRIES = 500;
    private static final int PASSES = 6;
    /** What a reading doesn't take unless its thread was taken off the core in the midst of it. */
    private static final long PREEMPTED_NANOS = 50_000;

    private static final AtomicReferenceArray<@Nullable Totals> TOTALS = new AtomicReferenceArray<>(1 << 15);
    private static final LongAdder TAKEN = new LongAdder();
    private static final LongAdder MISSED = new LongAdder();
    private static final LongAdder NANOS = new LongAdder();
    private static volatile @Nullable Meter told;
    private static volatile int every;
    private static volatile float price;

    /** What two readings with nothing between them differ by. */
    final long[] own = new long[KINDS];

    /** One that nobody reads yet. */
    protected Meter() {}

    /** Whether a sample is measured, by 31 bits of chance; null if not. A rare one is, as long as any is. */
    public static @Nullable Reading admit(long random, boolean rare) {
        int oneIn = every;
        Meter meter = told;
        if (oneIn == 0 || meter == null || (oneIn > 1 && !rare && (random & 0x7FFFFFFF) % oneIn != 0)) {
            return null;
        }
        return new Reading(meter);
    }

    /** What this thread has used so far, by kind, -1 where it isn't known; false if nothing is known of this thread. */
    protected abstract boolean read(long[] values);

    /**
     * From now on samples may be measured with this one; what reading costs is tried on this thread first, and returned
     * in nanoseconds.
     */
    public double begin() {
        long least = Long.MAX_VALUE;
        Arrays.fill(own, Long.MAX_VALUE);
        long[] first = new long[KINDS];
        long[] second = new long[KINDS];
        for (int pass = 0; pass < PASSES; pass++) {
            long start = System.nanoTime();
            for (int i = 0; i < TRIES; i++) {
                boolean known = read(first);
                known = read(second) && known;
                for (int kind = 0; kind < KINDS; kind++) {
                    boolean both = known && first[kind] >= 0 && second[kind] >= 0;
                    own[kind] = Math.min(own[kind], both ? second[kind] - first[kind] : 0);
                }
            }
            least = Math.min(least, System.nanoTime() - start);
        }
        told = this;
        return (double) least / TRIES;
    }

    static void add(int probe, long[] took) {
        Totals totals = TOTALS.get(probe);
        if (totals == null) {
            Totals fresh = new Totals();
            Totals first = TOTALS.compareAndExchange(probe, null, fresh);
            totals = first == null ? fresh : first;
        }
        for (int kind = 0; kind < KINDS; kind++) {
            if (took[kind] >= 0) {
                totals.add(kind, took[kind]);
            }
        }
    }

    static void worked(long nanos, boolean missed, boolean ended) {
        NANOS.add(Math.min(nanos, PREEMPTED_NANOS));
        if (missed) {
            MISSED.increment();
        } else if (ended) {
            TAKEN.increment();
        }
    }

    /** Measures one in so many samples, none if 0, each at that price in nanoseconds. */
    public static void allow(int oneIn, double nanos) {
        price = (float) nanos;
        every = oneIn;
    }

    /** One in how many samples is measured; 0 if none is. */
    public static int oneIn() {
        return every;
    }

    /** What measuring a sample is taken to cost its exchange, in nanoseconds. */
    public static float price() {
        return price;
    }

    /** What was measured of the probe's calls, or null if nothing was. */
    public static @Nullable Totals totals(int probe) {
        return TOTALS.get(probe);
    }

    /** How many samples were measured. */
    public static long taken() {
        return TAKEN.sum();
    }

    /** How many weren't, though they were to be: of virtual threads, or of more threads than have counters. */
    public static long missed() {
        return MISSED.sum();
    }

    /** What measuring took together, in nanoseconds. */
    public static long nanos() {
        return NANOS.sum();
    }
}

package dev.understudy.agent.bootstrap;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What the samples of each probe took, and what the agent's own work in them did; in nanoseconds.
 *
 * <p>For any threads. A sample may be lost where two threads of one group meet, as {@link Probes} has it of calls.
 */
public final class Timings {
    /** Fewer groups of threads than {@link Probes} has stripes: a sample ends far less often than a call begins. */
    private static final int GROUPS = 4;
    /** What the agent's own work doesn't take unless its thread was taken off the core in the midst of it. */
    private static final long PREEMPTED_NANOS = 10_000;

    /** Per group and probe: samples that ended, and what they took together. */
    private static final long[] TIMES = new long[GROUPS * Probes.CAPACITY * 2];

    private static final AtomicLongArray MAX_NANOS = new AtomicLongArray(Probes.CAPACITY);
    private static final AtomicIntegerArray MEASURED = new AtomicIntegerArray(Probes.CAPACITY);
    private static final AtomicLongArray SELF_NANOS = new AtomicLongArray(Probes.CAPACITY);

    private Timings() {}

    /** A sample has ended on this thread. */
    static void took(int probe, long nanos) {
        int time = ((Threads.id() & (GROUPS - 1)) * Probes.CAPACITY + probe) * 2;
        TIMES[time]++;
        TIMES[time + 1] += nanos;
        long max = MAX_NANOS.get(probe);
        while (nanos > max && !MAX_NANOS.compareAndSet(probe, max, nanos)) {
            max = MAX_NANOS.get(probe);
        }
    }

    /** So much of a sample was the agent's own. */
    static void ownWork(int probe, long nanos) {
        MEASURED.getAndIncrement(probe);
        SELF_NANOS.getAndAdd(probe, Math.min(nanos, PREEMPTED_NANOS));
    }

    /** How many samples of the probe have ended, as the low 32 bits. */
    public static int samples(int probe) {
        return (int) sum(probe, 0);
    }

    /** What the probe's samples took together. */
    public static long nanos(int probe) {
        return sum(probe, 1);
    }

    private static long sum(int probe, int place) {
        long sum = 0;
        for (int time = probe * 2 + place; time < TIMES.length; time += Probes.CAPACITY * 2) {
            sum += TIMES[time];
        }
        return sum;
    }

    /** What the probe's longest sample took. */
    public static long maxNanos(int probe) {
        return MAX_NANOS.get(probe);
    }

    /** Of how many samples the agent's own work was timed. */
    public static int measured(int probe) {
        return MEASURED.get(probe);
    }

    /** What the agent's own work in those samples took together, one clock reading included. */
    public static long selfNanos(int probe) {
        return SELF_NANOS.get(probe);
    }
}

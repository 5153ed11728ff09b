package dev.understudy.standin.run;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * What a stand-in's own work costs by request, measured while it runs: reading, making a reply, writing. It is taken
 * off what is spent on purpose, so that both together are what was learned. Safe for all threads.
 */
final class StandInCost {
    private static final int LEAST_REQUESTS = 20;
    /** How much the latest measurement counts. */
    private static final double NEW = 0.3;

    private static final long MOST_OWED_NANOS = 20_000_000;

    private final @Nullable OperatingSystemMXBean system =
            ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean known ? known : null;
    private long requests;
    private long purposeProcessorNanos;
    private long ownNanos;
    private long processorNanosBefore = processNanos();
    private long owedNanos;
    private double processorNanos;
    private volatile double timeNanos;
    private volatile long roundTripNanos;

    /**
     * Adds a request that was answered.
     *
     * @param purposeNanos processor time that was spent on purpose
     * @param otherNanos time from its arrival to its reply, without waiting and without what was spent on purpose
     */
    synchronized void add(long purposeNanos, long otherNanos) {
        requests++;
        purposeProcessorNanos += purposeNanos;
        ownNanos += Math.max(0, otherNanos);
    }

    /** Begins to measure; what was before, such as a warm-up, doesn't count. */
    synchronized void begin() {
        processorNanosBefore = processNanos();
    }

    /** Measures since the last call, if there was enough to do. */
    synchronized void measure() {
        if (requests < LEAST_REQUESTS) {
            return;
        }
        long now = processNanos();
        double processor = Math.max(0, now - processorNanosBefore - purposeProcessorNanos) / (double) requests;
        double time = ownNanos / (double) requests;
        processorNanos = processorNanos == 0 ? processor : processorNanos + NEW * (processor - processorNanos);
        timeNanos = timeNanos == 0 ? time : timeNanos + NEW * (time - timeNanos);
        processorNanosBefore = now;
        requests = 0;
        purposeProcessorNanos = 0;
        ownNanos = 0;
    }

    /**
     * What of a request's processor time is left to be spent on purpose. Where it costs more than it should, later ones
     * have less left, so that the sum is right.
     */
    synchronized long processorLeft(long wantedNanos) {
        long left = wantedNanos - Math.round(processorNanos) - owedNanos;
        owedNanos = Math.min(MOST_OWED_NANOS, Math.max(0, -left));
        return Math.max(0, left);
    }

    /** Sets how long an empty request takes on its way, in nanoseconds. */
    void roundTrip(long nanos) {
        roundTripNanos = nanos;
    }

    /** Time by request, likewise, with that of its way. */
    double timeNanos() {
        return timeNanos + roundTripNanos;
    }

    private long processNanos() {
        return system == null ? 0 : Math.max(0, system.getProcessCpuTime());
    }
}

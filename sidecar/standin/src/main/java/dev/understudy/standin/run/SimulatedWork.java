package dev.understudy.standin.run;

import dev.understudy.standin.model.RouteModel;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/**
 * Spends what one request costs: processor time of the calling thread, memory, and for the rest it waits. Beside other
 * load the processor time takes longer, as it did in the service.
 *
 * @param processorNanos processor time
 * @param waitNanos time without any
 * @param bytes what is allocated, and let go at once
 */
record SimulatedWork(long processorNanos, long waitNanos, long bytes) {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** How late a thread wakes up on Linux by default. */
    private static final long SLACK_NANOS = 50_000;

    private static final long SHORT_NANOS = 500_000;
    private static final int CHUNK = 4096;
    private static volatile byte[] unusedBytes = new byte[0];

    /**
     * What one request of a route costs.
     *
     * @param share which of its times is taken, from 0 to 1; processor time and memory are in proportion to it
     */
    static SimulatedWork of(RouteModel route, double share, StandInOptions options) {
        double mean = route.timeMillis().mean();
        double size = mean == 0 ? 0 : route.timeMillis().at(share) / mean;
        double millis = route.timeMillis().at(share) / options.speed();
        double processor = options.spendsProcessor() ? route.processorMillis() * size / options.speed() : 0;
        long bytes = options.spendsProcessor() ? Math.round(route.allocatedBytes() * size) : 0;
        return new SimulatedWork(
                Math.round(processor * 1e6), Math.max(0, Math.round((millis - processor) * 1e6)), bytes);
    }

    /** Whether handing it to another thread would cost more than it does. */
    boolean isShort() {
        return processorNanos + waitNanos < SHORT_NANOS;
    }

    /** The same without what the stand-in itself costs. */
    SimulatedWork without(StandInCost own) {
        long processor = own.processorLeft(processorNanos);
        long time = processorNanos + waitNanos - Math.round(own.timeNanos());
        return new SimulatedWork(processor, Math.max(0, time - processor), bytes);
    }

    /**
     * Spends it on the calling thread.
     *
     * @return how much processor time it took
     */
    long spend() {
        for (long left = bytes; left > 0; left -= CHUNK) {
            unusedBytes = new byte[(int) Math.min(left, CHUNK)];
        }
        long begun = threadProcessorNanos();
        long used = 0;
        while (used < processorNanos) {
            Thread.onSpinWait();
            used = threadProcessorNanos() - begun;
        }
        long until = System.nanoTime() + waitNanos - SLACK_NANOS;
        for (long left = waitNanos - SLACK_NANOS;
                left > 0 && !Thread.currentThread().isInterrupted();
                left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return used;
    }

    /** Processor time of the calling thread. */
    static long threadProcessorNanos() {
        return THREADS.getCurrentThreadCpuTime();
    }
}

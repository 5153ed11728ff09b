package dev.understudy.agent.bootstrap;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Ended samples of traced exchanges on their way to the exporter; what doesn't fit is dropped and counted.
 *
 * <p>Safe for any threads; never waits.
 */
public final class Samples {
    static final int CAPACITY = 8192;

    private static final ConcurrentLinkedQueue<CallSample> QUEUE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger SIZE = new AtomicInteger();
    private static final LongAdder DROPPED = new LongAdder();
    private static volatile boolean wanted = true;

    private Samples() {}

    /** Whether anybody exports them; as long as nobody does, they aren't kept. */
    public static void wanted(boolean exported) {
        wanted = exported;
    }

    static void offer(CallSample sample) {
        if (!wanted) {
            return;
        }
        if (SIZE.get() >= CAPACITY) {
            DROPPED.increment();
            return;
        }
        SIZE.incrementAndGet();
        QUEUE.offer(sample);
    }

    /** The oldest sample not yet taken, or null when there is none. */
    public static @Nullable CallSample poll() {
        CallSample sample = QUEUE.poll();
        if (sample != null) {
            SIZE.decrementAndGet();
        }
        return sample;
    }

    /** How many samples were dropped because the exporter was too slow. */
    public static long dropped() {
        return DROPPED.sum();
    }
}

package dev.understudy.agent.bootstrap;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * How much of some exchanges' time the agent took itself, until it is sent: what it sampled and observed on the thread
 * that worked on each, at the price that was measured for that. What doesn't fit is dropped.
 *
 * <p>Safe for any threads; never waits.
 */
public final class OverheadMeter {
    static final int CAPACITY = 1024;

    private static final ConcurrentLinkedQueue<Overhead> QUEUE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger SIZE = new AtomicInteger();
    private static volatile int period;

    private OverheadMeter() {}

    static void ended(ServedExchange exchange) {
        int every = period;
        if (every == 0
                || exchange.traceId() == null
                || (every > 1 && ThreadLocalRandom.current().nextInt(every) != 0)
                || SIZE.get() >= CAPACITY) {
            return;
        }
        SIZE.incrementAndGet();
        QUEUE.offer(new Overhead(exchange.key().span(), Math.round(exchange.overheadNanos)));
    }

    /** Keeps that of one exchange in {@code every}, of none if 0. */
    public static void allow(int every) {
        period = every;
    }

    /** The oldest not yet taken, or null when there is none. */
    public static @Nullable Overhead poll() {
        Overhead overhead = QUEUE.poll();
        if (overhead != null) {
            SIZE.decrementAndGet();
        }
        return overhead;
    }

    /** One exchange's. Immutable. */
    public static final class Overhead {
        private final String span;
        private final long nanos;

        Overhead(String span, long nanos) {
            this.span = span;
            this.nanos = nanos;
        }

        /** The 16 hexadecimal digits of the exchange's debug span. */
        public String span() {
            return span;
        }

        /** In nanoseconds of the exchange's thread. */
        public long nanos() {
            return nanos;
        }
    }
}

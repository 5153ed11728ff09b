package dev.understudy.agent.point;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What was told, on its way to the sidecar; what doesn't fit is dropped and counted. For any threads; never waits. */
final class Hits {
    static final int CAPACITY = 1000;

    private final ConcurrentLinkedQueue<Hit> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final LongAdder dropped = new LongAdder();

    void offer(Hit hit) {
        if (size.incrementAndGet() > CAPACITY) {
            size.decrementAndGet();
            dropped.increment();
        } else {
            queue.offer(hit);
        }
    }

    @Nullable
    Hit poll() {
        Hit hit = queue.poll();
        if (hit != null) {
            size.decrementAndGet();
        }
        return hit;
    }

    long dropped() {
        return dropped.sum();
    }

    /** That a place was passed and its condition held. Immutable. */
    static final class Hit {
        final String point;
        final String place;
        final long millis;
        final String thread;
        /** The 32 digits of its trace, or "". */
        final String trace;
        /** The 16 digits of the exchange's debug span, or "". */
        final String span;
        /** Of a log point; null for a snapshot. */
        final @Nullable String text;

        final Map<String, String> values;
        final List<String> stack;

        Hit(
                String point,
                String place,
                long millis,
                String trace,
                String span,
                @Nullable String text,
                Map<String, String> values,
                List<String> stack) {
            this.point = point;
            this.place = place;
            this.millis = millis;
            this.thread = Thread.currentThread().getName();
            this.trace = trace;
            this.span = span;
            this.text = text;
            this.values = values;
            this.stack = stack;
        }
    }
}

package dev.understudy.agent.execution;

import dev.understudy.agent.bootstrap.ExecutionRecorder.End;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What was done for one exchange, thread by thread. Bounded: once it is full, calls are only counted. Guarded by
 * itself.
 */
final class ExecutionTrace {
    /** Beginnings and ends of calls. */
    static final int MOST_EVENTS = 20_000;
    /** Of all texts together. */
    static final int MOST_CHARACTERS = 1 << 19;
    /** So many calls of a method are recorded; what they call is, too. */
    static final int MOST_OF_METHOD = 300;

    static final int MOST_THREADS = 64;
    /** So long its values are looked at. */
    static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** While a call is open, its thread may be waiting for somebody. */
    private static final long OPEN_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Its order's. */
    final String trace;

    private final Map<Long, Lane> threads = new LinkedHashMap<>();
    private final Map<Integer, Integer> calls = new HashMap<>();
    private int events;
    private long characters;
    private long lookedNanos;
    private long left;
    private long lastNanos;

    ExecutionTrace(String trace) {
        this.trace = trace;
    }

    /** Whether one more call of the method is recorded on this thread; if not, it is counted. */
    synchronized boolean begins(int method) {
        Lane thread = thread();
        boolean taken = thread != null
                && events < MOST_EVENTS
                && characters < MOST_CHARACTERS
                && lookedNanos < MOST_NANOS
                && calls.merge(method, 1, Integer::sum) <= MOST_OF_METHOD;
        lastNanos = System.nanoTime();
        if (thread != null) {
            thread.open(taken ? method : -1 - method);
        }
        left += taken ? 0 : 1;
        return taken;
    }

    /** Whether the call that ends is one whose beginning was recorded on this thread; those inside of it end, too. */
    synchronized boolean ends(int method) {
        Lane thread = thread();
        lastNanos = System.nanoTime();
        return thread != null && thread.close(method);
    }

    /**
     * Keeps an event of this thread.
     *
     * @param how null for a beginning
     * @param nanos that looking at its values took
     */
    synchronized void add(int method, @Nullable End how, List<String> texts, long nanos) {
        Lane thread = thread();
        lookedNanos += nanos;
        if (thread != null) {
            thread.events.add(new Event(method, how, texts));
            events++;
            for (String text : texts) {
                characters += text.length();
            }
        }
    }

    private @Nullable Lane thread() {
        long id = Thread.currentThread().getId();
        Lane known = threads.get(id);
        if (known == null && threads.size() < MOST_THREADS) {
            known = new Lane(Thread.currentThread().getName());
            threads.put(id, known);
        }
        return known;
    }

    /** Whether something was done, and no more is expected: no call is open, or nothing came for long. */
    synchronized boolean isOver(long now) {
        boolean isOpen = threads.values().stream().anyMatch(thread -> thread.depth > 0);
        return !threads.isEmpty() && now - lastNanos > (isOpen ? OPEN_NANOS : QUIET_NANOS);
    }

    /** How many calls weren't recorded. */
    synchronized long left() {
        return left;
    }

    /** The threads that worked on it, in the order in which they began. */
    synchronized List<Lane> threads() {
        return new ArrayList<>(threads.values());
    }

    /** What one thread did. */
    static final class Lane {
        final String name;
        final List<Event> events = new ArrayList<>();
        /** Open calls; one that isn't recorded is below 0. */
        private int[] open = new int[64];

        private int depth;

        Lane(String name) {
            this.name = name;
        }

        private void open(int method) {
            if (depth == open.length) {
                open = Arrays.copyOf(open, 2 * depth);
            }
            open[depth++] = method;
        }

        private boolean close(int method) {
            for (int i = depth - 1; i >= 0; i--) {
                if (open[i] == method || open[i] == -1 - method) {
                    depth = i;
                    return open[i] >= 0;
                }
            }
            return false;
        }
    }

    /** A call begins or ends. */
    static final class Event {
        final int method;
        /** Null for a beginning. */
        final @Nullable End how;
        /** Of a beginning the receiver's class, then the arguments; of an end what was returned or thrown. */
        final List<String> texts;

        private Event(int method, @Nullable End how, List<String> texts) {
            this.method = method;
            this.how = how;
            this.texts = texts;
        }
    }
}

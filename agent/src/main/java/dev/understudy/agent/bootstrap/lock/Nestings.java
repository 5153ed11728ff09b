package dev.understudy.agent.bootstrap.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Nestings of locks that wait for the agent; the same locks at the same places are queued once, as long as they aren't
 * forgotten.
 *
 * <p>For any threads, never waits. Of two threads that meet at one key both may queue.
 */
public final class Nestings {
    static final int CAPACITY = 1024;
    private static final int KNOWN = 1 << 13;
    private static final int FRAMES = 12;
    private static final String OURS = "dev.understudy.agent.bootstrap.";

    private static final long[] SEEN = new long[KNOWN];
    private static final ConcurrentLinkedQueue<Nesting> QUEUE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger SIZE = new AtomicInteger();
    private static final LongAdder DROPPED = new LongAdder();

    private Nestings() {}

    /**
     * This thread takes a lock, which no view of another is if it is stamped, while it holds the first {@code count} of
     * others.
     */
    static void tell(
            @Nullable Object[] held,
            LockKind[] kinds,
            int[] places,
            int count,
            Object taken,
            LockKind kind,
            int place) {
        long key = mixed(kind.owner(taken), kind, place);
        for (int i = 0; i < count; i++) {
            Object lock = held[i];
            key += lock == null ? 0 : mixed(kinds[i].owner(lock), kinds[i], places[i]) * (2L * i + 3);
        }
        int slot = (int) (key >>> 40) & (KNOWN - 1);
        if (SEEN[slot] == key) {
            return;
        }
        if (SIZE.get() >= CAPACITY) {
            DROPPED.increment();
            return;
        }
        SEEN[slot] = key;
        List<Holding> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Object lock = held[i];
            if (lock != null) {
                all.add(holding(lock, kinds[i], places[i]));
            }
        }
        SIZE.incrementAndGet();
        QUEUE.offer(new Nesting(
                List.copyOf(all),
                holding(taken, kind, place),
                Thread.currentThread().getName(),
                stack()));
    }

    private static Holding holding(Object lock, LockKind kind, int place) {
        return new Holding(
                new LockRef(kind.owner(lock)),
                kind.isShared(),
                place,
                lock.getClass().getName());
    }

    private static List<String> stack() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !frame.getClassName().startsWith(OURS))
                        .limit(FRAMES)
                        .map(frame -> frame.getClassName() + '#' + frame.getMethodName() + ':' + frame.getLineNumber())
                        .collect(Collectors.toList()));
    }

    private static long mixed(Object lock, LockKind kind, int place) {
        long x = ((long) System.identityHashCode(lock) << 32 | place << 1 | (kind.isShared() ? 1 : 0))
                * 0x9E3779B97F4A7C15L;
        x ^= x >>> 29;
        return x * 0xBF58476D1CE4E5B9L | 1;
    }

    /** The oldest that wasn't taken yet, or null if there is none. */
    public static @Nullable Nesting poll() {
        Nesting nesting = QUEUE.poll();
        if (nesting != null) {
            SIZE.decrementAndGet();
        }
        return nesting;
    }

    /** How many were thrown away because nobody took those before them. */
    public static long dropped() {
        return DROPPED.sum();
    }
}

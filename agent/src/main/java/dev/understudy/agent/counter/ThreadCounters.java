package dev.understudy.agent.counter;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Each thread's counters, of a bounded number of threads, since each counter is an open file.
 *
 * <p>A table without locks: only a thread itself puts its own there, and what is read on a thread's behalf is its own.
 * A thread has a few places by its hash; if they are taken, it isn't counted. {@link #sweep} is for one of the agent's
 * threads.
 */
final class ThreadCounters {
    /** So many threads have counters at most. */
    static final int MOST = 64;

    private static final int PLACES = 256;
    private static final int TRIED = 8;

    private final Perf perf;
    private final CounterChoice choice;
    private final AtomicReferenceArray<@Nullable CounterGroup> groups = new AtomicReferenceArray<>(PLACES);
    private final AtomicInteger open = new AtomicInteger();

    ThreadCounters(Perf perf, CounterChoice choice) {
        this.perf = perf;
        this.choice = choice;
    }

    /** Puts the running thread's values where counters have theirs, if it has any. */
    void read(Thread thread, long[] values) {
        CounterGroup group = of(thread);
        if (group != null) {
            group.read(values);
        }
    }

    /** How many threads have counters. */
    int threads() {
        return open.get();
    }

    /** Closes those of threads that have ended. */
    void sweep() {
        for (int place = 0; place < PLACES; place++) {
            CounterGroup group = groups.get(place);
            if (group != null && !group.thread.isAlive()) {
                groups.set(place, null);
                open.decrementAndGet();
                if (group.isOpen()) {
                    group.close();
                }
            }
        }
    }

    private @Nullable CounterGroup of(Thread thread) {
        int hash = System.identityHashCode(thread); // its id could be what the application says
        for (int i = 0; i < TRIED; i++) {
            CounterGroup group = groups.get(place(hash, i));
            if (group != null && group.thread == thread) {
                return group;
            }
        }
        return opened(hash);
    }

    private @Nullable CounterGroup opened(int hash) {
        if (open.incrementAndGet() > MOST) {
            open.decrementAndGet();
            return null;
        }
        CounterGroup group = CounterGroup.open(perf, choice);
        for (int i = 0; i < TRIED; i++) {
            if (groups.compareAndSet(place(hash, i), null, group)) {
                return group;
            }
        }
        open.decrementAndGet();
        if (group.isOpen()) {
            group.close();
        }
        return null;
    }

    private static int place(int hash, int tried) {
        return (hash + tried) & (PLACES - 1);
    }
}

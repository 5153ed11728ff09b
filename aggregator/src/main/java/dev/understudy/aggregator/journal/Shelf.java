package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.journal.Journal.Entry;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The unused exchanges of one form in production's order, or the requests that wait for one.
 *
 * <p>Guarded by its journal. Entries that were evicted stay queued until they come up, so {@code live} is what counts.
 */
final class Shelf<R extends Reply> {
    int live;

    private final ArrayDeque<Entry<R>> entries = new ArrayDeque<>(2);
    private final Set<Waiter<R>> waiters = new LinkedHashSet<>(2);

    /** Production's order is that of its replies; lanes may deliver them a little out of order. */
    void put(Entry<R> entry) {
        ArrayDeque<Entry<R>> later = new ArrayDeque<>(0);
        for (Entry<R> tail = entries.peekLast(); tail != null && after(tail, entry); tail = entries.peekLast()) {
            later.addFirst(entries.removeLast());
        }
        entries.addLast(entry);
        entries.addAll(later);
        live++;
    }

    void putBack(Entry<R> entry) {
        entries.addFirst(entry);
        live++;
    }

    @Nullable
    Entry<R> poll() {
        Entry<R> entry = entries.pollFirst();
        while (entry != null && entry.gone()) {
            entry = entries.pollFirst();
        }
        return entry;
    }

    void await(Waiter<R> waiter) {
        waiters.add(waiter);
    }

    @Nullable
    Waiter<R> pollWaiter() {
        if (waiters.isEmpty()) {
            return null;
        }
        Waiter<R> first = waiters.iterator().next();
        waiters.remove(first);
        return first;
    }

    boolean withdraw(Waiter<R> waiter) {
        return waiters.remove(waiter);
    }

    boolean idle() {
        return live == 0 && waiters.isEmpty();
    }

    private static <R extends Reply> boolean after(Entry<R> tail, Entry<R> entry) {
        Recorded<R> queued = tail.recorded;
        Recorded<R> added = entry.recorded;
        return queued != null && added != null && queued.endNanos() - added.endNanos() > 0;
    }
}

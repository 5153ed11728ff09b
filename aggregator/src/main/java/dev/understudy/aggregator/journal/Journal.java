package dev.understudy.aggregator.journal;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of one upstream that production has had and the debug JVM has not asked for yet.
 *
 * <p>Each recorded reply is handed out once, first in production's order per {@link Form}; a request that comes before
 * its reply was recorded waits, bounded. Adding and taking cost O(1) amortised. Bytes and age are bounded; what is
 * evicted is counted by reason.
 *
 * <p>Safe for all threads: every field is guarded by {@code this}, and no callback runs under the lock.
 */
public final class Journal<R extends Reply> {
    /** Facts are few: greetings, parameters. More than this is a mistake of the protocol's code. */
    private static final int MAX_FACTS = 256;

    private final JournalBounds bounds;
    private final LongSupplier clock;
    private final Map<Form, Shelf<R>> shelves = new HashMap<>();
    private final ArrayDeque<Entry<R>> oldestFirst = new ArrayDeque<>();
    private final KnownForms known = new KnownForms();
    private final LastReplies<R> last;
    private final Map<Eviction, Long> evicted = new EnumMap<>(Eviction.class);
    private final Map<String, Object> facts = new ConcurrentHashMap<>();
    private long recorded;
    private long unused;
    private long bytes;

    /**
     * Makes an empty journal.
     *
     * @param clock nanoseconds on the clock that the recorded stamps are on, {@code System.nanoTime} in service
     */
    public Journal(JournalBounds bounds, LongSupplier clock) {
        this.bounds = bounds;
        this.clock = clock;
        this.last = new LastReplies<>(bounds.repeatLast() ? bounds.repeatMemory() : 0);
    }

    /** Keeps an exchange, or gives it at once to the request that has waited longest for its form. */
    public void add(Form form, long connection, long startNanos, long endNanos, R reply) {
        Waiter<R> waiter;
        Recorded<R> exchange;
        synchronized (this) {
            exchange = new Recorded<>(++recorded, form, connection, startNanos, endNanos, reply);
            known.recorded(form);
            if (exchange.bytes() > bounds.largestExchange()) {
                count(Eviction.TOO_LARGE);
                known.evicted(form, Eviction.TOO_LARGE);
                return;
            }
            last.remember(exchange);
            waiter = keepUnlessAwaited(exchange, false);
            evict();
        }
        if (waiter != null) {
            waiter.handOver(exchange);
        }
    }

    /**
     * Finds the reply for a request.
     *
     * @param waitNanos how long to wait for production; 0 for an answer at once
     * @param caller where {@code then} runs; this call must be made there
     * @param then told exactly once, before this returns if the answer is known already; never after a cancel
     */
    public Taking take(Form form, long waitNanos, EventExecutor caller, Consumer<Match<R>> then) {
        Match<R> match;
        synchronized (this) {
            evict();
            Recorded<R> exchange = poll(form);
            if (exchange == null && waitNanos > 0) {
                Waiter<R> waiter = new Waiter<>(this, form, clock.getAsLong(), caller, then);
                shelves.computeIfAbsent(form, f -> new Shelf<>()).await(waiter);
                waiter.timeout = caller.schedule(waiter::timedOut, waitNanos, TimeUnit.NANOSECONDS);
                return waiter;
            }
            match = exchange == null ? missed(form, 0) : new Match.Hit<>(exchange, 0, false);
        }
        then.accept(match);
        return () -> {};
    }

    /** The last reply recorded for a form, whether used or not; null unless such replies are remembered. */
    public synchronized @Nullable Recorded<R> lastOf(Form form) {
        return last.of(form);
    }

    /** Evicts what is too old; otherwise that happens only as exchanges come and go. */
    public synchronized void expire() {
        evict();
    }

    /** Publishes something that replay may need and that belongs to no exchange, such as a server's greeting. */
    public void share(String key, Object fact) {
        if (facts.size() < MAX_FACTS || facts.containsKey(key)) {
            facts.put(key, fact);
        }
    }

    /** The fact last published under a key; null if there is none of this type. */
    public <T> @Nullable T known(String key, Class<T> type) {
        Object fact = facts.get(key);
        return type.isInstance(fact) ? type.cast(fact) : null;
    }

    /** How full the journal is, and what became of what it was given. */
    public synchronized JournalCounts counts() {
        return new JournalCounts(recorded, unused, bytes, bounds.memory(), Map.copyOf(evicted));
    }

    /** Takes a waiter out of its queue; false if a reply is on its way to it already. */
    synchronized boolean withdraw(Waiter<R> waiter) {
        Shelf<R> shelf = shelves.get(waiter.form);
        boolean waiting = shelf != null && shelf.withdraw(waiter);
        if (shelf != null && shelf.idle()) {
            shelves.remove(waiter.form);
        }
        return waiting;
    }

    long since(long nanos) {
        return clock.getAsLong() - nanos;
    }

    synchronized Match<R> missed(Form form, long waitedNanos) {
        return new Match.Miss<>(form, known.why(form), List.copyOf(known.nearest(form)), waitedNanos);
    }

    /** An exchange whose taker has gone is the next again. */
    void giveBack(Recorded<R> exchange) {
        Waiter<R> waiter;
        synchronized (this) {
            waiter = keepUnlessAwaited(exchange, true);
            evict();
        }
        if (waiter != null) {
            waiter.handOver(exchange);
        }
    }

    private @Nullable Waiter<R> keepUnlessAwaited(Recorded<R> exchange, boolean first) {
        Shelf<R> shelf = shelves.computeIfAbsent(exchange.form(), f -> new Shelf<>());
        Waiter<R> waiter = shelf.pollWaiter();
        if (waiter != null) {
            if (shelf.idle()) {
                shelves.remove(exchange.form());
            }
            return waiter;
        }
        Entry<R> entry = new Entry<>(shelf, exchange);
        if (first) {
            shelf.putBack(entry);
            oldestFirst.addFirst(entry);
        } else {
            shelf.put(entry);
            oldestFirst.addLast(entry);
        }
        unused++;
        bytes += exchange.bytes();
        return null;
    }

    private @Nullable Recorded<R> poll(Form form) {
        Shelf<R> shelf = shelves.get(form);
        Entry<R> entry = shelf == null ? null : shelf.poll();
        if (entry == null) {
            return null;
        }
        Recorded<R> exchange = remove(entry);
        if (oldestFirst.size() > 2 * unused + 64) {
            oldestFirst.removeIf(Entry::gone);
        }
        return exchange;
    }

    private void evict() {
        long now = clock.getAsLong();
        for (Entry<R> oldest = oldestFirst.peekFirst(); oldest != null; oldest = oldestFirst.peekFirst()) {
            Recorded<R> exchange = oldest.recorded;
            if (exchange != null) {
                boolean aged = now - exchange.endNanos() > bounds.age().toNanos();
                if (!aged && bytes <= bounds.memory()) {
                    return;
                }
                Eviction reason = aged ? Eviction.AGE : Eviction.MEMORY;
                count(reason);
                known.evicted(exchange.form(), reason);
                remove(oldest);
            }
            oldestFirst.removeFirst();
        }
    }

    private Recorded<R> remove(Entry<R> entry) {
        Recorded<R> exchange = entry.take();
        unused--;
        bytes -= exchange.bytes();
        if (entry.shelf.idle()) {
            shelves.remove(exchange.form());
        }
        return exchange;
    }

    private void count(Eviction reason) {
        evicted.merge(reason, 1L, Long::sum);
    }

    /** One unused exchange; once it is used or evicted, the queues that still hold the entry skip it. */
    static final class Entry<R extends Reply> {
        final Shelf<R> shelf;

        @Nullable
        Recorded<R> recorded;

        Entry(Shelf<R> shelf, Recorded<R> recorded) {
            this.shelf = shelf;
            this.recorded = recorded;
        }

        boolean gone() {
            return recorded == null;
        }

        Recorded<R> take() {
            Recorded<R> taken = recorded;
            if (taken == null) {
                throw new IllegalStateException("taken twice");
            }
            recorded = null;
            shelf.live--;
            return taken;
        }
    }
}

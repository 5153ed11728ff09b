package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.match.Call;
import dev.understudy.aggregator.match.InboundExchanges;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of one upstream that production has had and the debug JVM has not asked for yet.
 *
 * <p>Each recorded reply is handed out once; among those of one {@link Form}, {@link Chooser} chooses. A request that comes
 * before its reply was recorded waits, bounded. Adding and taking cost O(log n), and adding one look more for each request
 * that waits for this form. Bytes and age are bounded; what is evicted is counted by reason.
 *
 * <p>Safe for all threads: every field is guarded by {@code this}, and no callback runs under the lock.
 */
public final class Journal<R extends Reply> {
    /** Facts are few: greetings, parameters. More than this is a mistake of the protocol's code. */
    private static final int MAX_FACTS = 256;

    private final JournalBounds bounds;
    private final LongSupplier clock;
    private final Map<Form, Shelf<R>> shelves = new HashMap<>();
    private final Set<Form> awaited = new LinkedHashSet<>();
    private final ArrayDeque<Entry<R>> oldestFirst = new ArrayDeque<>();
    private final KnownForms known = new KnownForms();
    private final AnswerHistory answers = new AnswerHistory();
    private final Chooser<R> chooser;
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
     * @param inbound what is known of the requests that make the calls, on the same clock
     */
    public Journal(JournalBounds bounds, LongSupplier clock, InboundExchanges inbound) {
        this.bounds = bounds;
        this.clock = clock;
        this.chooser = new Chooser<>(inbound, answers, clock);
        this.last = new LastReplies<>(bounds.repeatLast() ? bounds.repeatMemory() : 0);
    }

    /** Keeps an exchange, or gives it at once to the request that it suits best of those that wait for its form. */
    public void add(Form form, long connection, long startNanos, long endNanos, R reply) {
        long answer = reply.answer();
        Handover<R> handover;
        synchronized (this) {
            Recorded<R> exchange = new Recorded<>(++recorded, form, connection, startNanos, endNanos, reply);
            known.recorded(form);
            answers.recorded(form, answer);
            if (exchange.bytes() > bounds.largestExchange()) {
                count(Eviction.TOO_LARGE);
                known.evicted(form, Eviction.TOO_LARGE);
                return;
            }
            last.remember(exchange);
            handover = keep(exchange, answer, false);
        }
        if (handover != null) {
            handover.run();
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
        Call call = new Call(clock.getAsLong(), form.trace());
        Match<R> match;
        synchronized (this) {
            evict();
            Shelf<R> shelf = shelves.get(form);
            Choice<R> choice = shelf == null ? null : chooser.choose(shelf, form, call, waitNanos <= 0);
            if (choice == null || choice.entry() == null) {
                if (waitNanos > 0) {
                    Waiter<R> waiter = new Waiter<>(this, form, call, caller, then);
                    shelves.computeIfAbsent(form, f -> new Shelf<>()).waiters().add(waiter);
                    awaited.add(form);
                    waiter.timeout = caller.schedule(waiter::timedOut, waitNanos, TimeUnit.NANOSECONDS);
                    postpone(waiter, choice);
                    return waiter;
                }
                match = missed(form, 0);
            } else {
                match = new Match.Hit<>(remove(choice.entry()), 0, false, choice.reason());
            }
        }
        then.accept(match);
        return () -> {};
    }

    /** The sidecar has told something: requests that wait may know now what to take. */
    public void lookAgain() {
        List<Handover<R>> handovers = new ArrayList<>();
        synchronized (this) {
            for (Form form : List.copyOf(awaited)) {
                Shelf<R> shelf = shelves.get(form);
                for (Handover<R> next = next(shelf); next != null; next = next(shelf)) {
                    handovers.add(next);
                }
            }
        }
        handovers.forEach(Handover::run);
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
        boolean waiting = shelf != null && shelf.waiters().remove(waiter);
        if (waiting) {
            tidy(waiter.form, shelf);
        }
        return waiting;
    }

    /** What a request gets whose wait is over, and which was withdrawn. */
    synchronized Match<R> lastLook(Waiter<R> waiter) {
        Shelf<R> shelf = shelves.get(waiter.form);
        Choice<R> choice = shelf == null ? null : chooser.choose(shelf, waiter.form, waiter.call, true);
        long waited = since(waiter.call.nanos());
        return choice == null || choice.entry() == null
                ? missed(waiter.form, waited)
                : new Match.Hit<>(remove(choice.entry()), waited, false, choice.reason());
    }

    /** The time has come that a waiter was to look again at. */
    void lookAgain(Waiter<R> waiter) {
        Handover<R> handover;
        synchronized (this) {
            waiter.againAt = Long.MAX_VALUE;
            Shelf<R> shelf = shelves.get(waiter.form);
            handover = shelf != null && shelf.waiters().contains(waiter) ? next(shelf) : null;
        }
        if (handover != null) {
            handover.run();
        }
    }

    long since(long nanos) {
        return clock.getAsLong() - nanos;
    }

    /** An exchange whose taker has gone is the next again. */
    void giveBack(Recorded<R> exchange) {
        long answer = exchange.reply().answer();
        Handover<R> handover;
        synchronized (this) {
            handover = keep(exchange, answer, true);
        }
        if (handover != null) {
            handover.run();
        }
    }

    private Match<R> missed(Form form, long waitedNanos) {
        Shelf<R> shelf = shelves.get(form);
        String why = shelf == null || shelf.size() == 0
                ? known.why(form)
                : "what production recorded of it (%d) was for other inbound requests".formatted(shelf.size());
        return new Match.Miss<>(form, why, List.copyOf(known.nearest(form)), waitedNanos);
    }

    private @Nullable Handover<R> keep(Recorded<R> exchange, long answer, boolean first) {
        Shelf<R> shelf = shelves.computeIfAbsent(exchange.form(), f -> new Shelf<>());
        Entry<R> entry = new Entry<>(shelf, exchange, answer);
        shelf.put(entry);
        if (first) {
            oldestFirst.addFirst(entry);
        } else {
            oldestFirst.addLast(entry);
        }
        unused++;
        bytes += exchange.bytes();
        Handover<R> handover = next(shelf);
        evict();
        return handover;
    }

    /** The surest choice for one of those that wait at a shelf, taken off it; null if none of them is to have anything now. */
    private @Nullable Handover<R> next(@Nullable Shelf<R> shelf) {
        if (shelf == null || shelf.size() == 0) {
            return null;
        }
        Waiter<R> best = null;
        Choice<R> surest = null;
        for (Waiter<R> waiter : shelf.waiters()) {
            Choice<R> choice = chooser.choose(shelf, waiter.form, waiter.call, false);
            if (choice.surerThan(surest)) {
                best = waiter;
                surest = choice;
            }
            postpone(waiter, choice);
        }
        if (best == null || surest == null || surest.entry() == null || surest.reason() == null) {
            return null;
        }
        shelf.waiters().remove(best);
        Handover<R> handover = new Handover<>(best, remove(surest.entry()), surest.reason());
        tidy(best.form, shelf);
        return handover;
    }

    private void postpone(Waiter<R> waiter, @Nullable Choice<R> choice) {
        if (choice != null && choice.entry() == null && choice.againAt() < waiter.againAt) {
            waiter.againAt = choice.againAt();
            waiter.lookAgain(Math.max(0, choice.againAt() - clock.getAsLong()));
        }
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
                oldestFirst.pollFirst();
                count(reason);
                known.evicted(exchange.form(), reason);
                remove(oldest);
            } else {
                oldestFirst.pollFirst();
            }
        }
    }

    private Recorded<R> remove(Entry<R> entry) {
        Recorded<R> exchange = entry.take();
        unused--;
        bytes -= exchange.bytes();
        tidy(exchange.form(), entry.shelf);
        if (oldestFirst.size() > 2 * unused + 64) {
            oldestFirst.removeIf(Entry::gone);
        }
        return exchange;
    }

    private void tidy(Form form, @Nullable Shelf<R> shelf) {
        if (shelf != null && shelf.waiters().isEmpty()) {
            awaited.remove(form);
            if (shelf.idle()) {
                shelves.remove(form);
            }
        }
    }

    private void count(Eviction reason) {
        evicted.merge(reason, 1L, Long::sum);
    }

    /** An exchange on its way to the request that it was chosen for. */
    private record Handover<R extends Reply>(Waiter<R> waiter, Recorded<R> exchange, Reason reason) {
        void run() {
            waiter.handOver(exchange, reason);
        }
    }
}

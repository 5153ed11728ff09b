package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.match.Span;
import dev.understudy.aggregator.match.TraceId;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The unused exchanges of one form in production's order and by trace, and the requests that wait for one.
 *
 * <p>Each look costs O(log n), and one step more for each call of this form that production had under way at the beginning
 * of the span, or that isn't wanted; at most {@link #LOOKS} of them. Guarded by its journal.
 */
final class Shelf<R extends Reply> {
    static final int LOOKS = 1_024;

    private final Comparator<Entry<R>> traceOrder;
    private final TreeSet<Entry<R>> inOrder;
    private final Set<Waiter<R>> waiters = new LinkedHashSet<>(2);
    private @Nullable TreeSet<Entry<R>> byTrace;

    Shelf() {
        this(Entry.inOrder(), Entry.byTrace());
    }

    Shelf(Comparator<Entry<R>> order, Comparator<Entry<R>> traceOrder) {
        this.inOrder = new TreeSet<>(order);
        this.traceOrder = traceOrder;
    }

    void put(Entry<R> entry) {
        inOrder.add(entry);
        if (entry.trace != null) {
            TreeSet<Entry<R>> traced = byTrace;
            if (traced == null) {
                traced = new TreeSet<>(traceOrder);
                byTrace = traced;
            }
            traced.add(entry);
        }
    }

    void remove(Entry<R> entry) {
        inOrder.remove(entry);
        if (byTrace != null && entry.trace != null) {
            byTrace.remove(entry);
        }
    }

    int size() {
        return inOrder.size();
    }

    /** The first in production's order that is wanted. */
    @Nullable
    Entry<R> first(Predicate<Entry<R>> wanted) {
        int looks = 0;
        for (Entry<R> entry : inOrder) {
            if (wanted.test(entry)) {
                return entry;
            }
            if (++looks == LOOKS) {
                break;
            }
        }
        return null;
    }

    /** The first that lies within the span and is wanted. */
    @Nullable
    Entry<R> firstWithin(Span span, Predicate<Entry<R>> wanted) {
        return within(inOrder, null, span, wanted);
    }

    /** The first of this trace that lies within the span. */
    @Nullable
    Entry<R> firstOf(TraceId trace, Span span) {
        return byTrace == null ? null : within(byTrace, trace, span, entry -> true);
    }

    private static <R extends Reply> @Nullable Entry<R> within(
            NavigableSet<Entry<R>> entries, @Nullable TraceId trace, Span span, Predicate<Entry<R>> wanted) {
        int looks = 0;
        for (Entry<R> entry : entries.tailSet(Entry.place(span.from(), trace), true)) {
            if (entry.endNanos > span.to() || (trace != null && !trace.equals(entry.trace)) || ++looks > LOOKS) {
                return null;
            }
            if (span.contains(entry.startNanos, entry.endNanos) && wanted.test(entry)) {
                return entry;
            }
        }
        return null;
    }

    /** Those that wait, the one that has waited longest first. */
    Set<Waiter<R>> waiters() {
        return waiters;
    }

    boolean idle() {
        return inOrder.isEmpty() && waiters.isEmpty();
    }
}

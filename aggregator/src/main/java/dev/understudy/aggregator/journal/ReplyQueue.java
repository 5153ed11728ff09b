package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.match.TimeSpan;
import dev.understudy.aggregator.match.TraceId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The unused exchanges of one form in production's order and by trace, and the requests that wait for one.
 *
 * <p>Each look costs O(log n), and one step more for each call of this form that production had under way at the
 * beginning of the span, or that isn't wanted; at most {@link #LOOKS} of them. Most forms have one exchange at a time,
 * for which there are no sets. Guarded by its journal.
 */
final class ReplyQueue<R extends RecordedReply> {
    static final int LOOKS = 1_024;

    /** The next one at the same place of its table. */
    @Nullable
    ReplyQueue<R> next;

    private final Form form;
    private @Nullable JournalEntry<R> only;
    private @Nullable Several<R> several;
    private @Nullable Set<Waiter<R>> waiters;

    ReplyQueue(Form form) {
        this.form = form;
    }

    /** One that has its sets from the start, in these orders. */
    ReplyQueue(Form form, Comparator<JournalEntry<R>> order, Comparator<JournalEntry<R>> traceOrder) {
        this.form = form;
        this.several = new Several<>(order, traceOrder);
    }

    /** The form of all that is here. */
    Form form() {
        return form;
    }

    void put(JournalEntry<R> entry) {
        Several<R> many = several;
        if (many == null && only == null) {
            only = entry;
            return;
        }
        if (many == null) {
            many = new Several<>(JournalEntry.inOrder(), JournalEntry.byTrace());
            several = many;
        }
        if (only != null) {
            many.put(only);
            only = null;
        }
        many.put(entry);
    }

    void remove(JournalEntry<R> entry) {
        if (only == entry) {
            only = null;
        } else if (several != null) {
            several.remove(entry);
        }
    }

    int size() {
        return (only == null ? 0 : 1) + (several == null ? 0 : several.inOrder.size());
    }

    /** The first in production's order that is wanted. */
    @Nullable
    JournalEntry<R> first(Predicate<JournalEntry<R>> wanted) {
        JournalEntry<R> one = only;
        if (one != null) {
            return wanted.test(one) ? one : null;
        }
        return several == null ? null : several.first(wanted);
    }

    /** All that had ended by then. */
    List<JournalEntry<R>> endedBefore(long nanos) {
        JournalEntry<R> one = only;
        if (one != null) {
            return one.endNanos < nanos ? List.of(one) : List.of();
        }
        return several == null ? List.of() : List.copyOf(several.inOrder.headSet(JournalEntry.place(nanos, null)));
    }

    /** The first that lies within the span and is wanted. */
    @Nullable
    JournalEntry<R> firstWithin(TimeSpan span, Predicate<JournalEntry<R>> wanted) {
        JournalEntry<R> one = only;
        if (one != null) {
            return span.contains(one.startNanos, one.endNanos) && wanted.test(one) ? one : null;
        }
        return several == null ? null : Several.within(several.inOrder, null, span, wanted);
    }

    /** The first that are wanted, at most so many. */
    List<JournalEntry<R>> someOf(int most, Predicate<JournalEntry<R>> wanted) {
        List<JournalEntry<R>> some = new ArrayList<>();
        first(entry -> {
            if (wanted.test(entry)) {
                some.add(entry);
            }
            return some.size() == most;
        });
        return some;
    }

    /** Those that lie within the span and are wanted; null if they are more than {@code most}. */
    @Nullable
    List<JournalEntry<R>> allWithin(TimeSpan span, int most, Predicate<JournalEntry<R>> wanted) {
        List<JournalEntry<R>> all = new ArrayList<>();
        JournalEntry<R> more = firstWithin(span, entry -> {
            if (wanted.test(entry)) {
                all.add(entry);
            }
            return all.size() > most;
        });
        return more == null ? all : null;
    }

    /** The first of this trace that lies within the span. */
    @Nullable
    JournalEntry<R> firstOf(TraceId trace, TimeSpan span) {
        JournalEntry<R> one = only;
        if (one != null) {
            return trace.equals(one.trace()) && span.contains(one.startNanos, one.endNanos) ? one : null;
        }
        return several == null || several.byTrace == null
                ? null
                : Several.within(several.byTrace, trace, span, entry -> true);
    }

    /** Those that wait, the one that has waited longest first. */
    Set<Waiter<R>> waiters() {
        return waiters == null ? Set.of() : waiters;
    }

    void await(Waiter<R> waiter) {
        Set<Waiter<R>> all = waiters;
        if (all == null) {
            all = new LinkedHashSet<>(2);
            waiters = all;
        }
        all.add(waiter);
    }

    /** Whether it was waiting. */
    boolean withdraw(Waiter<R> waiter) {
        return waiters != null && waiters.remove(waiter);
    }

    boolean idle() {
        return size() == 0 && waiters().isEmpty();
    }

    /** More than one. */
    private static final class Several<R extends RecordedReply> {
        private final Comparator<JournalEntry<R>> traceOrder;
        private final TreeSet<JournalEntry<R>> inOrder;
        private @Nullable TreeSet<JournalEntry<R>> byTrace;

        Several(Comparator<JournalEntry<R>> order, Comparator<JournalEntry<R>> traceOrder) {
            this.inOrder = new TreeSet<>(order);
            this.traceOrder = traceOrder;
        }

        void put(JournalEntry<R> entry) {
            inOrder.add(entry);
            if (entry.trace() != null) {
                TreeSet<JournalEntry<R>> traced = byTrace;
                if (traced == null) {
                    traced = new TreeSet<>(traceOrder);
                    byTrace = traced;
                }
                traced.add(entry);
            }
        }

        void remove(JournalEntry<R> entry) {
            inOrder.remove(entry);
            if (byTrace != null && entry.trace() != null) {
                byTrace.remove(entry);
            }
        }

        private @Nullable JournalEntry<R> first(Predicate<JournalEntry<R>> wanted) {
            int looks = 0;
            for (JournalEntry<R> entry : inOrder) {
                if (wanted.test(entry)) {
                    return entry;
                }
                if (++looks == LOOKS) {
                    break;
                }
            }
            return null;
        }

        private static <R extends RecordedReply> @Nullable JournalEntry<R> within(
                NavigableSet<JournalEntry<R>> entries,
                @Nullable TraceId trace,
                TimeSpan span,
                Predicate<JournalEntry<R>> wanted) {
            int looks = 0;
            for (JournalEntry<R> entry : entries.tailSet(JournalEntry.place(span.from(), trace), true)) {
                if (entry.endNanos > span.to() || (trace != null && !trace.equals(entry.trace())) || ++looks > LOOKS) {
                    return null;
                }
                if (span.contains(entry.startNanos, entry.endNanos) && wanted.test(entry)) {
                    return entry;
                }
            }
            return null;
        }
    }
}

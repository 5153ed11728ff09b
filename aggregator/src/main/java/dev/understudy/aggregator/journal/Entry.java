package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.match.TraceId;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One unused exchange on its shelf; once it is used or evicted, the queue that still holds the entry skips it.
 *
 * <p>Guarded by its journal.
 */
final class Entry<R extends Reply> {
    final long id;
    final long startNanos;
    final long endNanos;
    final @Nullable TraceId trace;
    final long answer;
    final @Nullable Shelf<R> shelf;

    @Nullable
    Recorded<R> recorded;

    Entry(Shelf<R> shelf, Recorded<R> recorded, long answer) {
        this.id = recorded.id();
        this.startNanos = recorded.startNanos();
        this.endNanos = recorded.endNanos();
        this.trace = recorded.form().trace();
        this.answer = answer;
        this.shelf = shelf;
        this.recorded = recorded;
    }

    /** A place among entries, and no entry. */
    private Entry(long endNanos, @Nullable TraceId trace) {
        this.id = 0;
        this.startNanos = endNanos;
        this.endNanos = endNanos;
        this.trace = trace;
        this.answer = 0;
        this.shelf = null;
    }

    /** The place before all that ended at {@code endNanos}. */
    static <R extends Reply> Entry<R> place(long endNanos, @Nullable TraceId trace) {
        return new Entry<>(endNanos, trace);
    }

    /** Production's order is that of its replies, whatever the order in which lanes deliver them. */
    static <R extends Reply> Comparator<Entry<R>> inOrder() {
        return (one, other) -> {
            int byEnd = Long.compare(one.endNanos, other.endNanos);
            return byEnd != 0 ? byEnd : Long.compare(one.id, other.id);
        };
    }

    /** Trace by trace; those that name none come first. */
    static <R extends Reply> Comparator<Entry<R>> byTrace() {
        Comparator<@Nullable TraceId> traces = Comparator.nullsFirst(Comparator.naturalOrder());
        Comparator<Entry<R>> order = inOrder();
        return (one, other) -> {
            int byTrace = traces.compare(one.trace, other.trace);
            return byTrace != 0 ? byTrace : order.compare(one, other);
        };
    }

    boolean gone() {
        return recorded == null;
    }

    Recorded<R> take() {
        Recorded<R> taken = recorded;
        if (taken == null || shelf == null) {
            throw new IllegalStateException("taken twice");
        }
        shelf.remove(this);
        recorded = null;
        return taken;
    }
}

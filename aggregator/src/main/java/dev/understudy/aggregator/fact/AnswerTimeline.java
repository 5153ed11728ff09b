package dev.understudy.aggregator.fact;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What production's server answered to one request that uses up nothing, by time: such an answer holds until another
 * one comes. Connections are recorded independently, so answers may be added in another order than they came in. Safe
 * for all threads: guarded by {@code this}.
 */
public abstract class AnswerTimeline<T> {
    private static final int MOST = 64;
    private static final long MOST_BYTES = 1 << 20;

    /** Memory of a time; {@link #bytes} counts all that an answer may come at, since only new answers are counted. */
    private static final long PER_TIME = 24;

    private static final long PER_ANSWER = 100 + MOST * PER_TIME;

    private final ToLongFunction<T> size;
    private final List<Span<T>> spans = new ArrayList<>(1);

    /** An answer, and when it came before another one came: the first times, and the last. */
    private static final class Span<T> {
        private T answer;
        private final List<Long> times = new ArrayList<>(1);
        private long last;
        private int given;

        Span(T answer) {
            this.answer = answer;
        }

        void came(long nanos) {
            last = times.isEmpty() || nanos - last > 0 ? nanos : last;
            if (times.size() < MOST) {
                int index = times.size();
                while (index > 0 && times.get(index - 1) - nanos > 0) {
                    index--;
                }
                times.add(index, nanos);
            }
        }

        boolean began(long nanos) {
            return nanos - times.get(0) >= 0;
        }

        /** Takes out what came after that time, and was counted. */
        Span<T> split(long nanos) {
            Span<T> rest = new Span<>(answer);
            times.stream().filter(time -> time - nanos > 0).forEach(rest::came);
            if (rest.times.isEmpty() || last - rest.last > 0) {
                rest.came(last);
            }
            times.removeIf(time -> time - nanos > 0);
            last = times.get(times.size() - 1);
            rest.given = Math.max(0, given - times.size());
            given -= rest.given;
            return rest;
        }

        /** When it came next after that time; null if it didn't. */
        @Nullable
        Long after(long position) {
            if (last - position <= 0) {
                return null;
            }
            for (Long time : times) {
                if (time - position > 0) {
                    return time;
                }
            }
            return last;
        }

        /** When it came that has been given as often as this; null if it didn't come as often. */
        @Nullable
        Long inTurn() {
            return given < times.size() ? times.get(given) : null;
        }
    }

    /**
     * An answer for the debug side.
     *
     * @param until when production had it
     */
    public record Timed<T>(T answer, long until) {}

    /** @param size bytes of memory that an answer takes */
    protected AnswerTimeline(ToLongFunction<T> size) {
        this.size = size;
    }

    /** Whether the one says the same as the other. */
    protected abstract boolean equal(T one, T other);

    /** What stands for both: the first if they are equal; null if nothing does. */
    protected @Nullable T common(T one, T other) {
        return equal(one, other) ? one : null;
    }

    /** The server has answered. */
    public synchronized void add(T answer, long nanos) {
        int index = spans.size() - 1;
        while (index >= 0 && !spans.get(index).began(nanos)) {
            index--;
        }
        boolean within = index >= 0 && spans.get(index).last - nanos > 0;
        if (join(index, answer, nanos) || (!within && join(index + 1, answer, nanos))) {
            return;
        }
        Span<T> added = new Span<>(answer);
        added.came(nanos);
        spans.add(index + 1, added);
        if (within) {
            spans.add(index + 2, spans.get(index).split(nanos));
        }
        while (spans.size() > MOST || (spans.size() > 1 && bytes() > MOST_BYTES)) {
            spans.remove(0);
        }
    }

    /** Adds it to what came there, if that says the same. */
    private boolean join(int index, T answer, long nanos) {
        Span<T> span = index >= 0 && index < spans.size() ? spans.get(index) : null;
        T both = span == null ? null : common(span.answer, answer);
        if (span == null || both == null) {
            return false;
        }
        span.answer = both;
        span.came(nanos);
        return true;
    }

    /**
     * The answer that production had next from that time on, or else its latest.
     *
     * @param position until when the debug side was given production's replies; null if nobody knows: then it gets each
     *     answer as often as production did
     */
    public synchronized @Nullable Timed<T> at(@Nullable Long position) {
        for (Span<T> span : spans) {
            Long next = position == null ? span.inTurn() : span.after(position);
            if (next != null) {
                span.given++;
                return new Timed<>(span.answer, next);
            }
        }
        Span<T> latest = spans.isEmpty() ? null : spans.get(spans.size() - 1);
        return latest == null ? null : new Timed<>(latest.answer, latest.last);
    }

    /** The answer that came last; null if there is none. */
    public synchronized @Nullable T latest() {
        return spans.isEmpty() ? null : spans.get(spans.size() - 1).answer;
    }

    /** Whether one came after that time, or one is left to be given in turn. */
    public synchronized boolean goesOn(@Nullable Long position) {
        return spans.stream().anyMatch(span -> (position == null ? span.inTurn() : span.after(position)) != null);
    }

    /** Bytes of memory that it takes. */
    public synchronized long bytes() {
        long bytes = 0;
        for (Span<T> span : spans) {
            bytes += PER_ANSWER + size.applyAsLong(span.answer);
        }
        return bytes;
    }
}

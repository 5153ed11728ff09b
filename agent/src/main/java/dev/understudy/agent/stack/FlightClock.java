package dev.understudy.agent.stack;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.OptionalLong;

/**
 * Tells a recording's times in {@link System#nanoTime()}'s, from marks that have both. Confined to one thread.
 *
 * <p>The recording's clock is the processor's, scaled by how fast the JVM believes it to be, and begins anew in each
 * chunk: so a time is told only between two marks, where the clocks have gone apart by little.
 */
final class FlightClock {
    /** Between marks of a second it is some microseconds; more if the wall clock was set, where chunks meet. */
    static final long MOST_APART_NANOS = 200_000;

    private static final int KEPT = 1 << 10;

    private final Deque<Mark> marks = new ArrayDeque<>();

    /** A mark that is later than those before. */
    void mark(Instant recorded, long nanos) {
        marks.addLast(new Mark(nanosOf(recorded), nanos));
        if (marks.size() > KEPT) {
            marks.removeFirst();
        }
    }

    /** Whether there is a mark that isn't before that time. */
    boolean reaches(Instant recorded) {
        return !marks.isEmpty() && marks.getLast().recorded >= nanosOf(recorded);
    }

    /** When the latest mark was made; empty if there is none. */
    OptionalLong latest() {
        return marks.isEmpty() ? OptionalLong.empty() : OptionalLong.of(marks.getLast().nanos);
    }

    /** That time; empty if there is no mark on either side, or the clocks have gone too far apart between them. */
    OptionalLong nanosAt(Instant recorded) {
        long time = nanosOf(recorded);
        Mark after = null;
        for (Iterator<Mark> latest = marks.descendingIterator(); latest.hasNext(); ) {
            Mark mark = latest.next();
            if (mark.recorded >= time) {
                after = mark;
            } else if (after == null) {
                return OptionalLong.empty();
            } else {
                return between(mark, after, time);
            }
        }
        return OptionalLong.empty();
    }

    private static OptionalLong between(Mark before, Mark after, long time) {
        long apart = (after.nanos - before.nanos) - (after.recorded - before.recorded);
        if (Math.abs(apart) > MOST_APART_NANOS) {
            return OptionalLong.empty();
        }
        double share = (double) (time - before.recorded) / (after.recorded - before.recorded);
        return OptionalLong.of(before.nanos + (time - before.recorded) + Math.round(apart * share));
    }

    private static long nanosOf(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
    }

    private static final class Mark {
        final long recorded;
        final long nanos;

        Mark(long recorded, long nanos) {
            this.recorded = recorded;
            this.nanos = nanos;
        }
    }
}

package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.divergence.wire.postgres.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What production's server answered to those who prepared one statement or had it described, in order.
 *
 * <p>Equal answers in a row are a run. A run is over for the debug side once it was given all executions that fell into
 * it, or all descriptions if there were no executions; or once its replies come from long after. Connections are
 * recorded independently, so what is recorded later may have come earlier: times decide. Safe for all threads: guarded
 * by {@code this}.
 */
public final class ShapeHistory {
    private static final int MOST = 64;
    private static final long MOST_BYTES = 1 << 20;

    /** Memory of a run, and of its shape besides what that holds. */
    private static final long PER_RUN = 160;

    /** Executions whose run is decided anew when a description of before them is recorded late. */
    private static final int MOST_RECENT = 64;

    /** The debug side's requests that are under way together may be apart so far in production's time. */
    private static final long TOLERANCE = TimeUnit.SECONDS.toNanos(10);

    private final List<Run> runs = new ArrayList<>(1);
    private final long[] recent = new long[MOST_RECENT];
    private long executions;
    private boolean refusesName;

    /** Equal answers in a row, and how many of them were given to the debug side. */
    private static final class Run {
        private Shape shape;
        private long first;
        private long last;
        private int described;
        private int shown;
        private int executed;
        private int given;

        Run(Shape shape, long nanos) {
            this.shape = shape;
            this.first = nanos;
            this.last = nanos;
        }

        boolean over() {
            return executed > 0 ? given >= executed : shown >= described;
        }
    }

    /**
     * The server has answered.
     *
     * @return whether that is news for who waits: an error of the moment is, each time
     */
    public synchronized boolean described(Shape shape, long nanos) {
        int index = index(nanos);
        Run run = join(index, shape);
        boolean news = run == null;
        if (run == null) {
            run = begin(index + 1, shape, nanos);
        }
        Shape both = Objects.requireNonNull(run.shape.with(shape));
        news |= !both.equals(run.shape);
        run.shape = both;
        run.described++;
        run.last = later(run.last, nanos);
        while (runs.size() > MOST || (news && runs.size() > 1 && bytes() > MOST_BYTES)) {
            runs.remove(0);
        }
        return news || !run.shape.lasting();
    }

    /** The statement was executed, and a reply to that was recorded. */
    public synchronized void executed(long nanos) {
        Run run = at(nanos);
        if (run != null) {
            run.executed++;
            run.last = later(run.last, nanos);
            recent[(int) (executions++ % MOST_RECENT)] = nanos;
        }
    }

    /** The debug side was given a recorded reply to an execution, of this time. */
    public synchronized void given(long nanos) {
        Run run = at(nanos);
        if (run != null) {
            run.given++;
        }
    }

    /**
     * The answer that the debug side is to be given next.
     *
     * @param position until when it was given production's replies; null if nobody knows
     * @param wanted which answers fit its question
     * @return null if there is none
     */
    public synchronized @Nullable Shape next(@Nullable Long position, Predicate<Shape> wanted) {
        Run run = choose(position, wanted);
        if (run == null) {
            return null;
        }
        run.shown++;
        return run.shape;
    }

    /** Whether there is such an answer. */
    public synchronized boolean has(@Nullable Long position, Predicate<Shape> wanted) {
        return choose(position, wanted) != null;
    }

    private @Nullable Run choose(@Nullable Long position, Predicate<Shape> wanted) {
        Run last = null;
        for (Run run : runs) {
            if (wanted.test(run.shape)) {
                if (!over(run, position)) {
                    return run;
                }
                last = run.shape.lasting() ? run : last;
            }
        }
        return last;
    }

    /** The server refused the statement since its name was another one's, and so does where that is so. */
    public synchronized void refusedName() {
        refusesName = true;
    }

    /** Whether the server refuses the statement where its name is another one's; a pool in between may not. */
    public synchronized boolean refusesName() {
        return refusesName;
    }

    /** The columns that the server had described at that time, or else last; null if it never did. */
    public synchronized @Nullable List<Column> columns(@Nullable Long nanos) {
        Run run = nanos == null ? null : at(nanos);
        if (run != null && run.shape.columns() != null) {
            return run.shape.columns();
        }
        for (int i = runs.size() - 1; i >= 0; i--) {
            List<Column> columns = runs.get(i).shape.columns();
            if (columns != null) {
                return columns;
            }
        }
        return null;
    }

    /** Bytes of memory that it takes. */
    public synchronized long bytes() {
        return 8L * MOST_RECENT
                + runs.stream().mapToLong(run -> PER_RUN + run.shape.bytes()).sum();
    }

    private static boolean over(Run run, @Nullable Long position) {
        return run.over() || (position != null && position - run.last > TOLERANCE);
    }

    /** The run there, if the server answered so in it. */
    private @Nullable Run join(int index, Shape shape) {
        Run run = index >= 0 && index < runs.size() ? runs.get(index) : null;
        return run != null && run.shape.with(shape) != null ? run : null;
    }

    /** The run at the index began at that time, or else a new one did: executions of since then fell into it. */
    private Run begin(int index, Shape shape, long nanos) {
        Run owner = at(nanos);
        Long end = index < runs.size() ? runs.get(index).first : null;
        Run run = join(index, shape);
        if (run == null) {
            run = new Run(shape, nanos);
            runs.add(index, run);
        }
        run.first = nanos;
        for (int i = 0; i < Math.min(executions, MOST_RECENT); i++) {
            long time = recent[i];
            boolean within = time - nanos >= 0 && (end == null || time - end < 0);
            if (within && owner != null && owner != run && owner.executed > 0) {
                owner.executed--;
                run.executed++;
                run.last = later(run.last, time);
            }
        }
        return run;
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    /** Of the run at that time: the last one that had begun; -1 for none. */
    private int index(long nanos) {
        int index = runs.size() - 1;
        while (index >= 0 && nanos - runs.get(index).first < 0) {
            index--;
        }
        return index;
    }

    private @Nullable Run at(long nanos) {
        return runs.isEmpty() ? null : runs.get(Math.max(0, index(nanos)));
    }
}

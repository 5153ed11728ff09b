package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.divergence.wire.postgres.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What production's server answered to those who prepared one statement or had it described, in order.
 *
 * <p>Equal answers in a row are a run. A run is over for the debug side once it was given all executions that fell into
 * it, or all descriptions if there were no executions; or once its replies come from long after. Safe for all threads:
 * guarded by {@code this}.
 */
public final class ShapeHistory {
    private static final int MOST = 64;
    private static final long MOST_BYTES = 1 << 20;

    /** Memory of a run, and of its shape besides what that holds. */
    private static final long PER_RUN = 160;

    /** The debug side's requests that are under way together may be apart so far in production's time. */
    private static final long TOLERANCE = TimeUnit.SECONDS.toNanos(10);

    private final List<Run> runs = new ArrayList<>(1);
    private boolean refusesName;

    /** Equal answers in a row, and how many of them were given to the debug side. */
    private static final class Run {
        private Shape shape;
        private final long first;
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
        Run latest = latest();
        Shape both = latest == null ? null : latest.shape.with(shape);
        boolean news = latest == null || both == null || !both.equals(latest.shape);
        if (latest == null || both == null) {
            latest = add(shape, nanos);
        } else {
            latest.shape = both;
        }
        latest.described++;
        latest.last = nanos;
        while (runs.size() > MOST || (news && runs.size() > 1 && bytes() > MOST_BYTES)) {
            runs.remove(0);
        }
        return news || !latest.shape.lasting();
    }

    /** The statement was executed, and a reply to that was recorded. */
    public synchronized void executed(long nanos) {
        Run run = at(nanos);
        if (run != null) {
            run.executed++;
            run.last = nanos;
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
        return runs.stream().mapToLong(run -> PER_RUN + run.shape.bytes()).sum();
    }

    private static boolean over(Run run, @Nullable Long position) {
        return run.over() || (position != null && position - run.last > TOLERANCE);
    }

    private Run add(Shape shape, long nanos) {
        Run run = new Run(shape, nanos);
        runs.add(run);
        return run;
    }

    private @Nullable Run latest() {
        return runs.isEmpty() ? null : runs.get(runs.size() - 1);
    }

    private @Nullable Run at(long nanos) {
        for (int i = runs.size() - 1; i > 0; i--) {
            if (nanos - runs.get(i).first >= 0) {
                return runs.get(i);
            }
        }
        return runs.isEmpty() ? null : runs.get(0);
    }
}

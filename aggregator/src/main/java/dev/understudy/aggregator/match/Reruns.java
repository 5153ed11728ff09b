package dev.understudy.aggregator.match;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Inbound exchanges that the debug JVM is sent once more, by the trace that it is told this time. Their calls have no
 * twin in production: they get what the exchange got before.
 *
 * <p>The newest {@value #KEPT} are known, and of {@value #RECENT} when they were. Safe for all threads: guarded by
 * {@code this}; calls nobody.
 */
public final class Reruns {
    static final int KEPT = 1_024;
    private static final int RECENT = 16;

    /** So long after one was told, its calls may come. */
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

    /** So long after one is over, calls may still be looked at that it made. */
    private static final long SETTLING = TimeUnit.SECONDS.toNanos(1);

    private final Map<TraceId, Rerun> byTrace = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TraceId, Rerun> eldest) {
            return size() > KEPT;
        }
    };
    private final Deque<Course> recent = new ArrayDeque<>();
    private final LongSupplier clock;
    private int run;

    /** Until when calls of one may come; written under the lock, and read without it. Null before the first. */
    private volatile @Nullable Long busyUntil;

    Reruns(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * One of them.
     *
     * @param trace that of the request that was sent once more
     * @param exchange the sidecar's number of the exchange whose request that was
     * @param run the {@linkplain #run run} that this number is of
     */
    public record Rerun(TraceId trace, long exchange, int run) {}

    /**
     * When the debug JVM was at one.
     *
     * @param alone whether all else that it serves is known
     */
    private record Course(Rerun rerun, boolean alone, long from, long to) {
        boolean isAround(long nanos) {
            return from <= nanos && nanos <= to;
        }
    }

    /** An exchange is about to be sent once more, or that is over: answered, or not waited for any longer. */
    synchronized void told(News.Again again) {
        long now = clock.getAsLong();
        List<Course> before = List.copyOf(recent);
        recent.clear();
        for (Course course : before) {
            boolean ends = course.rerun().trace().equals(again.trace()) && course.to() > now;
            recent.add(ends ? new Course(course.rerun(), course.alone(), course.from(), now) : course);
        }
        if (!again.over()) {
            Rerun rerun = new Rerun(again.trace(), again.exchange(), run);
            byTrace.remove(again.trace());
            byTrace.put(again.trace(), rerun);
            recent.add(new Course(rerun, again.alone(), now, now + LONGEST));
            if (recent.size() > RECENT) {
                recent.remove();
            }
        }
        long latest = recent.stream().mapToLong(Course::to).max().orElse(now);
        busyUntil = latest + SETTLING;
    }

    /** The one in this trace; null if there is none. */
    public @Nullable Rerun in(@Nullable TraceId trace) {
        return trace == null || busyUntil == null ? null : find(trace);
    }

    /** The only one that the debug JVM was at then; null if there was none, or several, or not all else is known. */
    synchronized @Nullable Rerun at(long nanos) {
        List<Course> all =
                recent.stream().filter(course -> course.isAround(nanos)).toList();
        return all.size() == 1 && all.get(0).alone() ? all.get(0).rerun() : null;
    }

    /** Whether calls of one may come now, so that it matters whose a call is. */
    public boolean areUnderway() {
        Long until = busyUntil;
        return until != null && clock.getAsLong() <= until;
    }

    /** Which sidecar counts the exchanges: the numbers of another one mean others. */
    public synchronized int run() {
        return run;
    }

    /** Another sidecar tells from here on. */
    synchronized void forget() {
        byTrace.clear();
        recent.clear();
        run++;
        busyUntil = null;
    }

    private synchronized @Nullable Rerun find(TraceId trace) {
        return byTrace.get(trace);
    }
}

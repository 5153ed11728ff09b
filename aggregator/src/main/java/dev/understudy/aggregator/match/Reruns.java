package dev.understudy.aggregator.match;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Inbound exchanges that the debug JVM is sent once more, by the trace that it is told this time. Their calls have no
 * twin in production: they get what the exchange got before.
 *
 * <p>The newest {@value #KEPT} are known. Safe for all threads: guarded by {@code this}; calls nobody.
 */
public final class Reruns {
    static final int KEPT = 256;

    /** So long after one was told, its calls may come. */
    private static final long UNDERWAY = TimeUnit.MINUTES.toNanos(1);

    /** Those that aren't over. */
    private final Set<TraceId> open = new LinkedHashSet<>();

    private final Map<TraceId, Rerun> byTrace = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TraceId, Rerun> eldest) {
            boolean isOneTooMany = size() > KEPT;
            if (isOneTooMany) {
                open.remove(eldest.getKey());
            }
            return isOneTooMany;
        }
    };

    private final LongSupplier clock;
    private int run;

    /** When one was told last; written under the lock, and read without it by those who would find nothing. */
    private volatile @Nullable Long toldAt;

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

    /** An exchange is about to be sent once more, or that is over: answered, or not waited for any longer. */
    synchronized void told(News.Again again) {
        if (!areUnderway()) {
            open.clear();
        }
        open.remove(again.trace());
        if (!again.over()) {
            open.add(again.trace());
            byTrace.remove(again.trace());
            byTrace.put(again.trace(), new Rerun(again.trace(), again.exchange(), run));
            toldAt = clock.getAsLong();
        }
    }

    /** The only one that the debug JVM is at; null if there is none, or there are several. */
    public @Nullable Rerun current() {
        return areUnderway() ? only() : null;
    }

    private synchronized @Nullable Rerun only() {
        return open.size() == 1 ? byTrace.get(open.iterator().next()) : null;
    }

    /** The one in this trace; null if there is none. */
    public @Nullable Rerun in(@Nullable TraceId trace) {
        return trace == null || toldAt == null ? null : find(trace);
    }

    /** Whether calls of one may come now, so that it matters whose a call is. */
    public boolean areUnderway() {
        Long last = toldAt;
        return last != null && clock.getAsLong() - last < UNDERWAY;
    }

    /** Which sidecar counts the exchanges: the numbers of another one mean others. */
    public synchronized int run() {
        return run;
    }

    /** Another sidecar tells from here on. */
    synchronized void forget() {
        byTrace.clear();
        open.clear();
        run++;
        toldAt = null;
    }

    private synchronized @Nullable Rerun find(TraceId trace) {
        return byTrace.get(trace);
    }
}

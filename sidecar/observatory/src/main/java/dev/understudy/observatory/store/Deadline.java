package dev.understudy.observatory.store;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The end of a query's time, from its making on. Safe for two threads: the query's, and its own. */
final class Deadline implements AutoCloseable {
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Duration time;
    private final long end;
    private final ScheduledExecutorService clock;
    private volatile @Nullable Statement guarded;

    Deadline(Duration time) {
        this.time = time;
        end = System.nanoTime() + time.toNanos();
        clock = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "understudy-query-limit");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Has it cancelled at the end, and again for as long as it isn't: one that isn't running yet can't be. */
    void guard(Statement statement) {
        guarded = statement;
        clock.scheduleAtFixedRate(this::cancel, end - System.nanoTime(), AGAIN_NANOS, TimeUnit.NANOSECONDS);
    }

    /** @throws QueryException if the time is over */
    void check() throws QueryException {
        if (System.nanoTime() - end >= 0) {
            throw new QueryException("cancelled after " + time.toMillis()
                    + " ms (ask for less, for example by a span of time, or allow it more)");
        }
    }

    private void cancel() {
        Statement running = guarded;
        if (running != null) {
            try {
                running.cancel();
            } catch (SQLException ended) {
                // it has its answer
            }
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}

package dev.understudy.aggregator.fact;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs something on an executor the first time it is run, from any thread, or when its time is up; never twice. */
public final class Once implements Runnable {
    private final EventExecutor executor;
    private final AtomicReference<@Nullable Runnable> task;
    private volatile @Nullable Future<?> timer;

    private Once(EventExecutor executor, Runnable task) {
        this.executor = executor;
        this.task = new AtomicReference<>(task);
    }

    /** Something that runs after this time at the latest. */
    public static Once within(EventExecutor executor, long nanos, Runnable task) {
        Once once = new Once(executor, task);
        once.timer = executor.schedule(once, nanos, TimeUnit.NANOSECONDS);
        return once;
    }

    /** Whether it has run, or was cancelled. */
    public boolean over() {
        return task.get() == null;
    }

    @Override
    public void run() {
        end(task.getAndSet(null));
    }

    /** It isn't run any more, and keeps nothing of whom it was to tell. */
    public void cancel() {
        task.set(null);
        end(null);
    }

    private void end(@Nullable Runnable last) {
        Future<?> running = timer;
        if (running != null) {
            running.cancel(false);
        }
        if (last != null) {
            executor.execute(last);
        }
    }
}

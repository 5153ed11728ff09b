package dev.understudy.aggregator.fact;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Runs something on an executor the first time it is run, from any thread, or when its time is up; never twice. */
public final class Once implements Runnable {
    private final EventExecutor executor;
    private final Runnable task;
    private final AtomicBoolean ran = new AtomicBoolean();
    private volatile @Nullable Future<?> timer;

    private Once(EventExecutor executor, Runnable task) {
        this.executor = executor;
        this.task = task;
    }

    /** Something that runs after this time at the latest. */
    public static Once within(EventExecutor executor, long nanos, Runnable task) {
        Once once = new Once(executor, task);
        once.timer = executor.schedule(once, nanos, TimeUnit.NANOSECONDS);
        return once;
    }

    /** Whether it has run. */
    public boolean over() {
        return ran.get();
    }

    @Override
    public void run() {
        if (ran.compareAndSet(false, true)) {
            Future<?> running = timer;
            if (running != null) {
                running.cancel(false);
            }
            executor.execute(task);
        }
    }
}

package dev.understudy.aggregator.postgres.exchange;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs something on an executor the first time it is run, from any thread, and never again. */
final class Once implements Runnable {
    private final EventExecutor executor;
    private final Runnable task;
    private final AtomicBoolean ran = new AtomicBoolean();

    Once(EventExecutor executor, Runnable task) {
        this.executor = executor;
        this.task = task;
    }

    @Override
    public void run() {
        if (ran.compareAndSet(false, true)) {
            executor.execute(task);
        }
    }
}

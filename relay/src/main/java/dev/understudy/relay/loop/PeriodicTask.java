package dev.understudy.relay.loop;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that is done again and again on one thread, and that nothing ends but its owner: what it throws, be it for want
 * of memory or of a descriptor to load a class with, is logged once in a row and tried again the next time. An executor
 * alone would silently never run it again.
 *
 * <p>Confined to its thread.
 */
public final class PeriodicTask implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);

    private final String name;
    private final Runnable work;
    private boolean failing;

    private PeriodicTask(String name, Runnable work) {
        this.name = name;
        this.work = work;
    }

    /**
     * Starts it.
     *
     * @param name what it is, for the log
     * @param first how long it is until the first time
     * @param pause from the end of one time to the beginning of the next
     */
    public static ScheduledFuture<?> start(
            ScheduledExecutorService thread, String name, Duration first, Duration pause, Runnable work) {
        PeriodicTask task = new PeriodicTask(name, work);
        return thread.scheduleWithFixedDelay(task, first.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    @SuppressWarnings("EmptyCatch")
    public void run() {
        try {
            work.run();
            failing = false;
        } catch (Throwable e) {
            boolean known = failing;
            failing = true;
            try {
                if (!known) {
                    LOG.error("{} failed; it is tried again", name, e);
                }
            } catch (Throwable unlogged) {
                // without memory even a line of the log can fail
            }
        }
    }
}

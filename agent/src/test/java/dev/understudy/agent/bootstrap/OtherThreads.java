package dev.understudy.agent.bootstrap;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Threads by where their calls are counted. */
final class OtherThreads {
    private OtherThreads() {}

    /** On a thread whose calls are not counted where this one's are, to its end. */
    static void onAnotherStripe(Runnable work) throws InterruptedException {
        join(freshThread(work));
    }

    /** On a thread of which nothing is observed while something is of the thread with this id, to its end. */
    static void onGroup(long id, Runnable work) throws InterruptedException {
        Thread thread = new Thread(work);
        while (((thread.getId() ^ id) & (Observations.GROUPS - 1)) != 0) {
            thread = new Thread(work);
        }
        join(thread);
    }

    /** Starts it and waits for its end, which has to be a good one. */
    static void join(Thread thread) throws InterruptedException {
        AtomicReference<@Nullable Throwable> problem = new AtomicReference<>();
        thread.setUncaughtExceptionHandler((which, thrown) -> problem.set(thrown));
        thread.start();
        thread.join();
        assertThat(problem.get()).isNull();
    }

    /** A thread whose calls aren't counted where this one's are. */
    static Thread freshThread(Runnable work) {
        Thread thread = new Thread(work);
        while (((thread.getId() ^ Thread.currentThread().getId()) & (Probes.STRIPES - 1)) == 0) {
            thread = new Thread(work);
        }
        return thread;
    }
}

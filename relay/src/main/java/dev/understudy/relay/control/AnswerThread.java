package dev.understudy.relay.control;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Makes replies for which the control thread would have to wait, one after the other on a thread of its own. Few may
 * wait for it; who comes then is answered 503 at once. The thread ends when nothing was asked for a while. Any thread.
 */
public final class AnswerThread implements AutoCloseable {
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor thread;

    /**
     * None is started yet.
     *
     * @param name of the thread
     * @param waiting calls that may wait for it, at least 1
     */
    public AnswerThread(String name, int waiting) {
        thread = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(waiting), task -> {
                    Thread made = new Thread(task, name);
                    made.setDaemon(true);
                    return made;
                });
        thread.allowCoreThreadTimeOut(true);
    }

    /** The reply, when it is made; failed if the work fails. */
    public CompletableFuture<Reply> answer(Supplier<Reply> work) {
        try {
            return CompletableFuture.supplyAsync(work, thread);
        } catch (RejectedExecutionException full) {
            return CompletableFuture.completedFuture(
                    Reply.problem(503, "Too many calls", "others are being answered; come again"));
        }
    }

    /** Interrupts what it does; who still waits is never answered. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}

package dev.understudy.agent.carry;

import dev.understudy.agent.bootstrap.Handover;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Hands a task over in each of the ways that are woven, and sees whether it is followed there. */
public final class CarryCheck {
    private static final long PATIENCE_SECONDS = 10;
    private static final int FIRST_WITH_VIRTUAL = 21;

    private final ThreadFactory threads;
    /** Of what isn't ours: that isn't followed. */
    private final BlockingQueue<AtomicReference<Runnable>> queue = new LinkedBlockingQueue<>();

    private final List<String> followed = new ArrayList<>();

    private CarryCheck(ThreadFactory threads) {
        this.threads = threads;
    }

    /** The ways in which tasks are followed in this JVM: of {@code executor, scheduled, forkJoin, future,
     * thread, timer, queue, virtual}. */
    public static List<String> followed(ThreadFactory threads) {
        CarryCheck check = new CarryCheck(threads);
        Thread taker = threads.newThread(check::takeOne);
        taker.start(); // by nobody
        Handover.trial(check::tryAll);
        taker.interrupt();
        return List.copyOf(check.followed);
    }

    /** The ways that this JVM has, but not among those followed. */
    public static List<String> missing(List<String> followed) {
        List<String> missing =
                new ArrayList<>(List.of("executor", "scheduled", "forkJoin", "future", "thread", "timer", "queue"));
        if (Runtime.version().feature() >= FIRST_WITH_VIRTUAL) {
            missing.add("virtual");
        }
        missing.removeAll(followed);
        return missing;
    }

    private void tryAll() {
        ExecutorService pool = Executors.newFixedThreadPool(1, threads);
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(1, threads);
        ForkJoinPool forks = new ForkJoinPool(1);
        Timer timer = new Timer("understudy-timer", true);
        CompletableFuture<Object> awaited = new CompletableFuture<>();
        Thread other = threads.newThread(() -> awaited.complete(this));
        tried("executor", pool::execute);
        tried("scheduled", task -> clock.schedule(task, 1, TimeUnit.MILLISECONDS));
        tried("forkJoin", forks::execute);
        tried("future", task -> {
            awaited.thenRun(task);
            other.start();
        });
        tried("thread", task -> threads.newThread(task).start());
        tried("timer", task -> timer.schedule(timed(task), 1));
        tried("queue", task -> queue.add(new AtomicReference<>(task)));
        tried("virtual", CarryCheck::startVirtual);
        pool.shutdown();
        clock.shutdown();
        forks.shutdown();
        timer.cancel();
    }

    private void tried(String way, Way handOver) {
        CountDownLatch ran = new CountDownLatch(1);
        boolean[] isTried = {false};
        try {
            handOver.give(() -> {
                isTried[0] = Handover.isTried();
                ran.countDown();
            });
            if (ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS) && isTried[0]) {
                followed.add(way);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (ReflectiveOperationException | RuntimeException no) {
            // it isn't followed, which is what is asked
        }
    }

    private void takeOne() {
        try {
            Runnable task = queue.take().get();
            if (task != null) {
                task.run();
            }
        } catch (InterruptedException nothingCame) {
            // it isn't followed
        }
    }

    private static TimerTask timed(Runnable task) {
        return new TimerTask() {
            @Override
            public void run() {
                task.run();
            }
        };
    }

    private static void startVirtual(Runnable task) throws ReflectiveOperationException {
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    }

    /** A way to hand over. */
    private interface Way {
        void give(Runnable task) throws ReflectiveOperationException;
    }
}

package dev.understudy.agent.carry;

import dev.understudy.agent.bootstrap.Handover;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Hands a task over in each of the ways that are woven, and sees whether it is followed there. */
public final class CarryCheck {
    private static final long PATIENCE_SECONDS = 10;
    private static final int FIRST_WITH_VIRTUAL = 21;

    private final ThreadFactory threads;
    private final List<String> followed = new ArrayList<>();

    private CarryCheck(ThreadFactory threads) {
        this.threads = threads;
    }

    /** The ways in which tasks are followed in this JVM: of {@code executor, scheduled, forkJoin, future, virtual}. */
    public static List<String> followed(ThreadFactory threads) {
        CarryCheck check = new CarryCheck(threads);
        Handover.trial(check::tryAll);
        return List.copyOf(check.followed);
    }

    /** The ways that this JVM has, but not among those followed. */
    public static List<String> missing(List<String> followed) {
        List<String> missing = new ArrayList<>(List.of("executor", "scheduled", "forkJoin", "future"));
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
        CompletableFuture<Object> awaited = new CompletableFuture<>();
        Thread other = threads.newThread(() -> awaited.complete(this));
        tried("executor", pool::execute);
        tried("scheduled", task -> clock.schedule(task, 1, TimeUnit.MILLISECONDS));
        tried("forkJoin", forks::execute);
        tried("future", task -> {
            awaited.thenRun(task);
            other.start();
        });
        tried("virtual", CarryCheck::startVirtual);
        pool.shutdown();
        clock.shutdown();
        forks.shutdown();
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

    private static void startVirtual(Runnable task) throws ReflectiveOperationException {
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    }

    /** A way to hand over. */
    private interface Way {
        void give(Runnable task) throws ReflectiveOperationException;
    }
}

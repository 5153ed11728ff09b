package dev.understudy.agent.carry;

import dev.understudy.agent.bootstrap.Handover;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
import java.util.function.Function;

/** Hands a task over in each of the ways that are woven, and sees whether it is followed there. */
public final class CarryCheck {
    private static final long PATIENCE_SECONDS = 10;
    private static final int FIRST_WITH_VIRTUAL = 21;

    private final ThreadFactory threads;
    /** Of what isn't ours: that isn't followed. */
    private final BlockingQueue<AtomicReference<Runnable>> queue = new LinkedBlockingQueue<>();

    private final List<String> followed = new ArrayList<>();

    private final List<Pools> pools = new ArrayList<>();

    /** Its tasks run on these threads. */
    public CarryCheck(ThreadFactory threads) {
        this.threads = threads;
    }

    /**
     * Has threads wait for tasks from now on, as the application's do that are there before the executors are woven.
     */
    public void warm() {
        Pools waiting = new Pools(threads);
        CountDownLatch ran = new CountDownLatch(3);
        waiting.pool.execute(ran::countDown);
        waiting.clock.schedule(ran::countDown, 1, TimeUnit.MILLISECONDS);
        waiting.timer.schedule(timed(ran::countDown), 1);
        try {
            ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        pools.add(waiting);
    }

    /**
     * The ways in which tasks are followed in this JVM, once: of
     * {@code executor, scheduled, forkJoin, future, thread, timer, queue, batch, virtual}. Those that are followed by
     * new threads, but not by those that waited, aren't among them.
     */
    public List<String> followed() {
        pools.add(new Pools(threads));
        Thread taker = threads.newThread(this::takeTwo);
        taker.start(); // by nobody
        Handover.trial(this::tryAll);
        taker.interrupt();
        pools.forEach(Pools::end);
        return List.copyOf(followed);
    }

    /** The ways that this JVM has, but not among those followed. */
    public static List<String> missing(List<String> followed) {
        List<String> missing = new ArrayList<>(
                List.of("executor", "scheduled", "forkJoin", "future", "thread", "timer", "queue", "batch"));
        if (Runtime.version().feature() >= FIRST_WITH_VIRTUAL) {
            missing.add("virtual");
        }
        missing.removeAll(followed);
        return missing;
    }

    private void tryAll() {
        ForkJoinPool forks = new ForkJoinPool(1);
        CompletableFuture<Object> awaited = new CompletableFuture<>();
        Thread other = threads.newThread(() -> awaited.complete(this));
        tried("executor", each(which -> which.pool::execute));
        tried("scheduled", each(which -> task -> which.clock.schedule(task, 1, TimeUnit.MILLISECONDS)));
        tried("forkJoin", forks::execute);
        tried("future", task -> {
            awaited.thenRun(task);
            other.start();
        });
        tried("thread", task -> threads.newThread(task).start());
        tried("timer", each(which -> task -> which.timer.schedule(timed(task), 1)));
        tried("queue", task -> queue.add(new AtomicReference<>(task)));
        tried("batch", task -> queue.add(new AtomicReference<>(task)));
        tried("virtual", CarryCheck::startVirtual);
        forks.shutdown();
    }

    private Way[] each(Function<Pools, Way> of) {
        return pools.stream().map(of).toArray(Way[]::new);
    }

    private void tried(String way, Way... handOvers) {
        for (Way handOver : handOvers) {
            if (!isFollowed(handOver)) {
                return;
            }
        }
        followed.add(way);
    }

    private static boolean isFollowed(Way handOver) {
        CountDownLatch ran = new CountDownLatch(1);
        boolean[] isTried = {false};
        try {
            handOver.give(() -> {
                isTried[0] = Handover.isTried();
                ran.countDown();
            });
            return ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS) && isTried[0];
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ReflectiveOperationException | RuntimeException no) {
            return false;
        }
    }

    /** Runs the first as it comes, and puts the second aside first. */
    private void takeTwo() {
        try {
            run(queue.take());
            Deque<AtomicReference<Runnable>> aside = new ArrayDeque<>();
            aside.add(queue.take());
            queue.poll();
            run(aside.remove());
        } catch (InterruptedException nothingCame) {
            // it isn't followed
        }
    }

    private static void run(AtomicReference<Runnable> taken) {
        Runnable task = taken.get();
        if (task != null) {
            task.run();
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

    /** Those of the JDK's executors whose threads loop in code of theirs. */
    private static final class Pools {
        final ExecutorService pool;
        final ScheduledExecutorService clock;
        final Timer timer = new Timer("understudy-timer", true);

        Pools(ThreadFactory threads) {
            pool = Executors.newFixedThreadPool(1, threads);
            clock = Executors.newScheduledThreadPool(1, threads);
        }

        void end() {
            pool.shutdown();
            clock.shutdown();
            timer.cancel();
        }
    }

    /** A way to hand over. */
    private interface Way {
        void give(Runnable task) throws ReflectiveOperationException;
    }
}

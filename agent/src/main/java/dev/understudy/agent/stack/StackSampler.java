package dev.understudy.agent.stack;

import dev.understudy.agent.bootstrap.ServedExchange;
import dev.understudy.agent.bootstrap.Serving;
import dev.understudy.agent.budget.Stacking;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes the stacks of threads that serve exchanges, at irregular times and as often as the budget allows.
 *
 * <p>{@link #run} returns when its thread is interrupted; the counts are for any thread.
 */
public final class StackSampler implements Runnable {
    /** Threads that are looked at together; others are at other times. */
    private static final int MOST_THREADS = 16;

    /** It looks so often a second at least whether it is time. */
    private static final double LEAST_PACE = 1;

    private static final long IDLE_NANOS = 250_000_000L;
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private final Stacking stacking;
    private final TakenStacks taken = new TakenStacks();
    private final ThreadStacks threads = new ThreadStacks();
    private final SplittableRandom random = new SplittableRandom();
    private final ServedExchange[] found = new ServedExchange[MOST_THREADS];

    /** One that has taken none yet. */
    public StackSampler(Stacking stacking) {
        this.stacking = stacking;
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            double perSecond = stacking.perSecond();
            if (perSecond <= 0) {
                LockSupport.parkNanos(IDLE_NANOS);
                continue;
            }
            Serving.watch();
            double pace = Math.max(LEAST_PACE, stacking.most()); // a rate that is raised is heeded soon
            LockSupport.parkNanos((long) (1e9 / pace * (0.5 + random.nextDouble())));
            if (random.nextDouble() * pace < perSecond) {
                look();
            }
        }
    }

    /** Takes the stacks of this moment. */
    void look() {
        int count = Serving.now(found, random.nextInt(Serving.PLACES));
        Thread[] threadsOf = new Thread[count];
        long[] ids = new long[count];
        int alive = 0;
        for (int i = 0; i < count; i++) {
            Thread thread = found[i].thread();
            if (thread != null) {
                found[alive] = found[i];
                threadsOf[alive] = thread;
                ids[alive++] = found[i].threadId();
            }
        }
        if (alive == 0) {
            return;
        }
        long begun = System.nanoTime();
        StackTraceElement[][] stacks = threads.of(Arrays.copyOf(threadsOf, alive), Arrays.copyOf(ids, alive));
        stacking.took((System.nanoTime() - begun) * Math.min(alive, CORES));
        for (int i = 0; i < alive; i++) {
            if (stacks[i].length > 0 && Serving.isServed(found[i])) {
                taken.add(found[i].key(), stacks[i]);
            } else {
                taken.miss();
            }
        }
    }

    /** How many stacks a second may be taken of each thread. */
    public double perSecond() {
        return stacking.perSecond();
    }

    /** How many stacks were taken. */
    public long taken() {
        return taken.taken();
    }

    /** How many weren't, since their exchange was over before. */
    public long missed() {
        return taken.missed();
    }

    /** How many of those taken are lost, since more were than can be told. */
    public long dropped() {
        return taken.dropped();
    }

    TakenStacks all() {
        return taken;
    }
}

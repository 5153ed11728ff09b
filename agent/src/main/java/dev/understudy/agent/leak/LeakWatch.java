package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.ServedExchanges;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.management.JMException;

/**
 * Counts live objects now and then, on the thread that runs it; {@link #growing} and {@link #counts} are for any
 * thread.
 *
 * <p>Each count stops the application for a full collection. So the next one is at least a hundred times as far away as
 * the shortest of the last few took, and there is none while the window is nearly full.
 */
public final class LeakWatch implements Runnable {
    private static final long SHARE = 100;
    /** Among so many counts one is taken to be as short as the heap allows. */
    private static final int LAST = 3;
    /** The share before there are so many. */
    private static final long FIRST_SHARE = 10;

    private long everyNanos; // guarded by this
    private final BooleanSupplier closed;
    private final Consumer<String> problems;
    private final AllocationSites sites;
    private final Deque<Long> lastTook = new ArrayDeque<>();
    private final Growth growth = new Growth();
    private volatile List<Growing> growing = List.of();
    private volatile int counts;
    private volatile long tookNanos;

    /**
     * A watch that has seen nothing.
     *
     * @param every the least time from one count to the next; zero for none at all
     * @param closed whether the debug JVM has no time for this now
     * @param sites is told which classes to look at closer
     * @param problems is told why there is no count
     */
    public LeakWatch(Duration every, BooleanSupplier closed, AllocationSites sites, Consumer<String> problems) {
        this.everyNanos = every.toNanos();
        this.closed = closed;
        this.sites = sites;
        this.problems = problems;
    }

    @Override
    public void run() {
        try {
            while (true) {
                awaitWanted();
                while (awaitNext()) {
                    if (!closed.getAsBoolean()) {
                        countOrStop();
                    }
                }
                sites.rest();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (LinkageError | RuntimeException defect) {
            problems.accept("leaks aren't looked for any more: " + defect);
        }
    }

    /** The operator wants them to be counted as often from now on, or not at all; any thread. */
    public synchronized void every(Duration every) {
        everyNanos = every.toNanos();
        notifyAll();
    }

    private synchronized void awaitWanted() throws InterruptedException {
        while (everyNanos == 0) {
            wait();
        }
    }

    /** Whether it is time for the next one; false if none is wanted any more. */
    private synchronized boolean awaitNext() throws InterruptedException {
        long begun = System.nanoTime();
        while (everyNanos > 0) {
            long left = pauseNanos() - (System.nanoTime() - begun);
            if (left <= 0) {
                return true;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return false;
    }

    private void countOrStop() {
        try {
            count();
        } catch (JMException | LinkageError | RuntimeException cant) {
            every(Duration.ZERO);
            problems.accept("leaks aren't looked for: this JVM can't count its objects: " + cant);
        }
    }

    /** The classes whose objects grow in number with the requests, those that grow by most first. */
    public List<Growing> growing() {
        return growing;
    }

    /** How many counts that rests on. */
    public int counts() {
        return counts;
    }

    /** How long the application stood still for the last count, in nanoseconds. */
    public long tookNanos() {
        return tookNanos;
    }

    synchronized void took(long nanos) {
        tookNanos = nanos;
        lastTook.addLast(nanos);
        if (lastTook.size() > LAST) {
            lastTook.removeFirst();
        }
    }

    /** From the last count to the next one. */
    synchronized long pauseNanos() {
        long least = lastTook.isEmpty() ? 0 : Collections.min(lastTook);
        return Math.max(everyNanos, (lastTook.size() < LAST ? FIRST_SHARE : SHARE) * least);
    }

    private void count() throws JMException {
        long begun = System.nanoTime();
        Map<String, Long> objects = LiveObjects.count();
        took(System.nanoTime() - begun);
        sites.leaveOutOurs(objects);
        growth.add(ServedExchanges.begun(), objects);
        counts = growth.size();
        sites.counted(growth.candidates());
        growing = growth.suspects(sites::of);
    }
}

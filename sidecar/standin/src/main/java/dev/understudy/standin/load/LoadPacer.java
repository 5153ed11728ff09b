package dev.understudy.standin.load;

import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes requests, and hands each over when it is due, whatever became of those before. Runs on a thread of its own. A
 * request is made before its moment, so that making it delays nothing.
 */
final class LoadPacer implements Runnable {
    private static final long LONGEST_PARK = 20_000_000;

    private final LoadPlan plan;
    private final RequestBacklog backlog;
    private final LoadConnections connections;
    private final ArrivalTimes times;
    private final RouteMix mix;
    private final SplittableRandom values;
    private volatile long startNanos;
    private volatile boolean stopped;

    LoadPacer(LoadPlan plan, RequestBacklog backlog, LoadConnections connections, SplittableRandom random) {
        this.plan = plan;
        this.backlog = backlog;
        this.connections = connections;
        this.times = new ArrivalTimes(
                plan.model().arrivals().gapsMillis(), plan.options().perSecond(), plan.count(), random.split());
        this.mix = new RouteMix(plan.model().routes(), random.split());
        this.values = random.split();
    }

    /** Says when the first request is due, by {@link System#nanoTime}; before it runs. */
    void startAt(long nanos) {
        startNanos = nanos;
    }

    @Override
    public void run() {
        long count = plan.count();
        for (long n = 0; n < count && !stopped; n++) {
            long due = startNanos + times.next();
            int route = mix.next();
            DueRequest request =
                    new DueRequest(route, due, plan.makers().get(route).make(values));
            awaitMoment(due);
            if (!stopped) {
                backlog.add(request);
                connections.wake();
            }
        }
    }

    private void awaitMoment(long due) {
        for (long left = due - System.nanoTime(); left > 0 && !stopped; left = due - System.nanoTime()) {
            LockSupport.parkNanos(this, Math.min(left, LONGEST_PARK));
        }
    }

    /** Makes it end within some milliseconds. For any thread. */
    void stop() {
        stopped = true;
    }
}

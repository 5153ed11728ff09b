package dev.understudy.sidecar.order;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes a moment once every lane loop has worked through what it had been handed by then.
 *
 * <p>On demand it sends a marker through all lane loops; when the last one comes out, everything handed over before the
 * marker went in has been told. Relay loops hand over after they have flushed, so with several of them the marker
 * stands for a moment that lies {@code handOver} back: a client can answer a reply before its copy is on its way.
 */
final class LaneHorizon implements Horizon {
    private final List<Executor> lanes;
    private final long handOverNanos;
    private final AtomicBoolean underway = new AtomicBoolean();
    private volatile long passed;
    private volatile Runnable moved = () -> {};

    /** @param handOverNanos how long a relay loop may take from a flush to the hand-over; 0 if there is only one */
    LaneHorizon(List<? extends Executor> lanes, long handOverNanos, long now) {
        this.lanes = List.copyOf(lanes);
        this.handOverNanos = handOverNanos;
        this.passed = now;
    }

    /** {@code moved} is run after each move, on a lane loop. */
    void onMove(Runnable toRun) {
        moved = toRun;
    }

    @Override
    public boolean passed(long nanos) {
        if (nanos - passed <= 0) {
            return true;
        }
        if (underway.compareAndSet(false, true)) {
            send();
        }
        return false;
    }

    private void send() {
        try {
            if (handOverNanos > 0) {
                CompletableFuture.delayedExecutor(handOverNanos, TimeUnit.NANOSECONDS, lanes.get(0))
                        .execute(this::mark);
            } else {
                mark();
            }
        } catch (RejectedExecutionException stopped) {
            underway.set(false);
        }
    }

    private void mark() {
        long moment = System.nanoTime() - handOverNanos;
        AtomicInteger left = new AtomicInteger(lanes.size());
        for (Executor lane : lanes) {
            lane.execute(() -> {
                if (left.decrementAndGet() == 0) {
                    passed = moment;
                    underway.set(false);
                    moved.run();
                }
            });
        }
    }
}

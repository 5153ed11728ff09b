package dev.understudy.sidecar.order;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Passes a moment once every lane loop has worked through what it had been handed by then.
 *
 * <p>On demand it sends a marker through all lane loops; when the last one comes out, everything handed over before the
 * marker went in has been told. The marker stands for the moment up to which everything had been handed over then. What
 * is asked about may lie behind that moment; then the marker waits for a millisecond.
 */
final class LaneHorizon implements Horizon {
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<Executor> lanes;
    private final LongSupplier handedOver;
    private final Executor later;
    private final AtomicBoolean underway = new AtomicBoolean();
    private volatile long passed;
    private volatile Runnable moved = () -> {};

    /** @param handedOver see {@link Ordering#handedOver} */
    LaneHorizon(List<? extends Executor> lanes, LongSupplier handedOver) {
        this(lanes, handedOver, CompletableFuture.delayedExecutor(PACE_NANOS, TimeUnit.NANOSECONDS, lanes.get(0)));
    }

    /** @param later runs what it is given after a millisecond or so */
    LaneHorizon(List<? extends Executor> lanes, LongSupplier handedOver, Executor later) {
        this.lanes = List.copyOf(lanes);
        this.handedOver = handedOver;
        this.later = later;
        this.passed = handedOver.getAsLong();
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
            if (nanos - handedOver.getAsLong() <= 0) {
                mark();
            } else {
                later.execute(this::mark);
            }
        }
        return false;
    }

    private void mark() {
        long moment = handedOver.getAsLong();
        if (moment - passed <= 0) {
            later.execute(this::mark);
            return;
        }
        AtomicInteger left = new AtomicInteger(lanes.size());
        try {
            for (Executor lane : lanes) {
                lane.execute(() -> {
                    if (left.decrementAndGet() == 0) {
                        passed = moment;
                        underway.set(false);
                        moved.run();
                    }
                });
            }
        } catch (RejectedExecutionException stopped) {
            underway.set(false);
        }
    }
}

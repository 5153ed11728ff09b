package dev.understudy.sidecar;

import dev.understudy.relay.Direction;
import dev.understudy.relay.MemoryBudget;
import dev.understudy.relay.stream.Spill;
import dev.understudy.sidecar.control.Watched;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.order.DebugClock;
import dev.understudy.sidecar.order.OrderGate;
import dev.understudy.sidecar.window.Gauge;
import dev.understudy.sidecar.window.WindowModel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves what needs a steady pace, ten times a second, on a thread of its own: debug clock, order, window model. */
final class Ticker implements AutoCloseable {
    static final Duration PACE = Duration.ofMillis(100);

    private static final Logger LOG = LoggerFactory.getLogger(Ticker.class);

    private final DebugClock debugClock;
    private final OrderGate order;
    private final WindowModel window;
    private final MemoryBudget memory;
    private final @Nullable Spill spill;
    private final List<Watched> listeners;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread created = new Thread(work, "understudy-window");
        created.setDaemon(true);
        return created;
    });

    private @Nullable ScheduledFuture<?> ticks;

    Ticker(
            DebugClock debugClock,
            OrderGate order,
            WindowModel window,
            MemoryBudget memory,
            @Nullable Spill spill,
            List<Watched> listeners) {
        this.debugClock = debugClock;
        this.order = order;
        this.window = window;
        this.memory = memory;
        this.spill = spill;
        this.listeners = listeners;
    }

    void start() {
        ticks = everyTick(this::tick);
    }

    /** Waits until no lane has anything to deliver or to hear, for {@code patience} at most. */
    void awaitIdleLanes(Duration patience, BooleanSupplier hurried) {
        CountDownLatch idle = new CountDownLatch(1);
        ScheduledFuture<?> looking = everyTick(() -> {
            if (openLanes() == 0 || hurried.getAsBoolean()) {
                idle.countDown();
            }
        });
        try {
            idle.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        looking.cancel(false);
    }

    @Override
    public void close() {
        if (ticks != null) {
            ticks.cancel(false);
        }
        thread.shutdownNow();
    }

    private void tick() {
        try {
            long now = System.nanoTime();
            debugClock.tick(now);
            order.tick();
            window.tick(now, System.currentTimeMillis(), gauge(now));
        } catch (RuntimeException defect) {
            LOG.error("the window wasn't measured", defect);
        }
    }

    /** Memory and disk are one window; a lane whose memory is full has only overflown once the disk is full, too. */
    private Gauge gauge(long now) {
        long waiting = 0;
        long told = 0;
        long lag = order.lag(now);
        for (Watched watched : listeners) {
            DebugLanes lanes = watched.lanes();
            if (lanes != null) {
                waiting += lanes.metrics().waiting();
                told += lanes.metrics().bytes(Direction.REQUEST)
                        + lanes.metrics().bytes(Direction.REPLY);
                lag = Math.max(lag, lanes.waited(now));
            }
        }
        Spill disk = spill;
        if (disk == null) {
            return new Gauge(memory.used(), memory.capacity(), fullestLane(), lag, waiting, told);
        }
        double fullest = disk.failing() ? fullestLane() : (double) disk.used() / disk.capacity();
        long held = memory.used() + disk.used();
        return new Gauge(held, memory.capacity() + disk.capacity(), fullest, lag, waiting, told);
    }

    private double fullestLane() {
        double fullest = 0;
        for (Watched watched : listeners) {
            DebugLanes lanes = watched.lanes();
            fullest = lanes == null ? fullest : Math.max(fullest, lanes.fullest());
        }
        return fullest;
    }

    private long openLanes() {
        long open = 0;
        for (Watched watched : listeners) {
            DebugLanes lanes = watched.lanes();
            open += lanes == null ? 0 : lanes.tally().lanesOpen();
        }
        return open;
    }

    private ScheduledFuture<?> everyTick(Runnable work) {
        return thread.scheduleAtFixedRate(work, 0, PACE.toMillis(), TimeUnit.MILLISECONDS);
    }
}

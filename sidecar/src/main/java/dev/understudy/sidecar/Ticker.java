package dev.understudy.sidecar;

import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.DebugSockets;
import dev.understudy.relay.loop.PeriodicTask;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.tap.Direction;
import dev.understudy.sidecar.control.Watched;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.window.Gauge;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves what needs a steady pace, ten times a second, on a thread of its own: debug clock, order, window model, heap.
 */
final class Ticker implements AutoCloseable {
    static final Duration PACE = Duration.ofMillis(100);

    /** Part of a debug JVM's memory that is in use when it counts as standing. */
    private static final long STANDING = 64;

    private final Collection<DebugJvm> jvms;
    private final @Nullable Spill spill;
    private final List<Watched> listeners;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread created = new Thread(work, "understudy-window");
        created.setDaemon(true);
        return created;
    });

    private final DebugSockets sockets;
    private final @Nullable HeapSweep sweep = HeapSweep.ofJvm();
    private long acceptFailures;

    /** @param sockets given back when {@code listeners} are short of descriptors */
    Ticker(Collection<DebugJvm> jvms, @Nullable Spill spill, List<Watched> listeners, DebugSockets sockets) {
        this.sockets = sockets;
        this.jvms = jvms;
        this.spill = spill;
        this.listeners = listeners;
    }

    /** @param look is run at each tick, too */
    void start(Runnable look) {
        everyTick(this::descriptors);
        for (DebugJvm jvm : jvms) {
            everyTick(() -> tick(jvm));
        }
        if (sweep != null) {
            everyTick(() -> sweep.look(standing(), System.nanoTime()));
        }
        everyTick(look);
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
        thread.shutdownNow();
        if (sweep != null) {
            sweep.close();
        }
    }

    /** Whether so much waits that a debug JVM doesn't just lag a little. */
    private boolean standing() {
        return jvms.stream().anyMatch(jvm -> jvm.memory.used() > jvm.memory.capacity() / STANDING);
    }

    /** Clients come before the debug side, which gives sockets back while clients can't be given any. */
    private void descriptors() {
        long failures = listeners.stream()
                .mapToLong(watched -> watched.listener().acceptFailures())
                .sum();
        sockets.look(failures > acceptFailures);
        acceptFailures = failures;
    }

    private void tick(DebugJvm jvm) {
        long now = System.nanoTime();
        jvm.clock.tick(now);
        jvm.causal.tick();
        jvm.window.tick(now, System.currentTimeMillis(), gauge(jvm, now));
    }

    /** Memory and disk are one window; a lane whose memory is full has only overflown once the disk is full, too. */
    private Gauge gauge(DebugJvm jvm, long now) {
        long waiting = 0;
        long told = 0;
        long lag = jvm.causal.lag(now);
        double fullestLane = 0;
        for (DebugLanes lanes : lanes()) {
            if (lanes.debug().equals(jvm.name)) {
                waiting += lanes.metrics().waiting();
                told += lanes.metrics().bytes(Direction.REQUEST)
                        + lanes.metrics().bytes(Direction.REPLY);
                lag = Math.max(lag, lanes.waited(now));
                fullestLane = Math.max(fullestLane, lanes.fullest());
            }
        }
        lag = jvm.isPlayedTo ? 0 : lag;
        MemoryBudget memory = jvm.memory;
        Spill disk = spill;
        if (disk == null) {
            return new Gauge(memory.used(), memory.capacity(), fullestLane, lag, waiting, told);
        }
        double fullest = disk.failing() ? fullestLane : (double) disk.used() / disk.capacity();
        long held = memory.used() + disk.used();
        return new Gauge(held, memory.capacity() + disk.capacity(), fullest, lag, waiting, told);
    }

    private long openLanes() {
        return lanes().stream().mapToLong(lanes -> lanes.tally().lanesOpen()).sum();
    }

    private List<DebugLanes> lanes() {
        return listeners.stream().flatMap(watched -> watched.lanes().stream()).toList();
    }

    private ScheduledFuture<?> everyTick(Runnable work) {
        return PeriodicTask.start(thread, "measuring the window", Duration.ZERO, PACE, work);
    }
}

package dev.understudy.sidecar;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Has the JVM look through its old objects while debug JVMs stand: what waits for them grows old before it is given up,
 * and G1 left to itself lets that lie until the heap is a gigabyte.
 *
 * <p>Confined to one thread; looking is done on another, since who asks for it is kept until it is over.
 */
final class HeapSweep implements AutoCloseable {
    /** Bytes of old objects that must have come since the last time. */
    static final long GROWTH = 8L << 20;

    /** Between two. */
    static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final LongSupplier old;
    private final Runnable sweep;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread created = new Thread(work, "understudy-sweep");
        created.setDaemon(true);
        return created;
    });
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private long least = Long.MAX_VALUE;
    private long lastNanos;
    private boolean swept;

    /**
     * Sweeps by other means.
     *
     * @param old bytes of old objects, dead ones included
     * @param sweep returns when it is over
     */
    HeapSweep(LongSupplier old, Runnable sweep) {
        this.old = old;
        this.sweep = sweep;
    }

    /**
     * That of the running JVM; null if it would stop everything for it, which is so unless it runs as jvm.options says.
     */
    static @Nullable HeapSweep ofJvm() {
        HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        boolean beside = jvm != null
                && Stream.of("UseG1GC", "ExplicitGCInvokesConcurrent")
                        .allMatch(flag ->
                                Boolean.parseBoolean(jvm.getVMOption(flag).getValue()));
        if (!beside) {
            return null;
        }
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().equals("G1 Old Gen"))
                .findFirst()
                .map(HeapSweep::of)
                .orElse(null);
    }

    private static HeapSweep of(MemoryPoolMXBean pool) {
        return new HeapSweep(() -> pool.getUsage().getUsed(), System::gc);
    }

    /** Sweeps if something waits, enough has grown old and the last time is long enough ago. */
    void look(boolean waiting, long nanos) {
        long used = old.getAsLong();
        least = Math.min(least, used);
        boolean due = !swept || nanos - lastNanos >= PAUSE_NANOS;
        if (waiting && due && used - least >= GROWTH && sweeping.compareAndSet(false, true)) {
            swept = true;
            lastNanos = nanos;
            least = used;
            thread.execute(this::run);
        }
    }

    private void run() {
        try {
            sweep.run();
        } finally {
            sweeping.set(false);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

package dev.understudy.relay.ring;

import dev.understudy.relay.tap.TapFactory;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a tap process's rings, in the lane process, on a thread of its own.
 *
 * <p>While records come it looks each millisecond, and after twenty looks in vain each five: nobody wakes it, so that
 * the relay never makes a system call for it.
 */
public final class LaneRings implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LaneRings.class);
    private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int MOST_IDLE = 20;
    private static final int MOST_RINGS = 4096;

    private final List<RingReader> readers = new ArrayList<>();
    private final List<RecordReceiver> receivers = new ArrayList<>();
    private final LongAdder failures = new LongAdder();
    private final Thread thread = new Thread(this::run, "understudy-ring");
    private final Runnable eachLook;
    private volatile boolean closed;
    private volatile boolean ended;
    private volatile long handedOver = System.nanoTime() - Long.MAX_VALUE / 2;
    private boolean failing;

    private LaneRings(Runnable eachLook) {
        this.eachLook = eachLook;
        thread.setDaemon(true);
    }

    /**
     * Opens all rings in a folder; nothing is read before {@link #start}.
     *
     * @param listeners the taps of a listener, by its number in the control block; called on the reading thread
     * @param unknownBytes counts what is dropped
     * @param eachLook is run before each look, on the reading thread
     * @throws IOException if a file isn't a ring, or there is none
     */
    public static LaneRings open(
            Path folder,
            IntFunction<@Nullable TapFactory> listeners,
            UnknownBytes unknownBytes,
            Runnable eachLook,
            ByteBufAllocator allocator)
            throws IOException {
        LaneRings rings = new LaneRings(eachLook);
        while (rings.readers.size() < MOST_RINGS && Files.exists(RelayRings.file(folder, rings.readers.size()))) {
            RecordReceiver receiver = new RecordReceiver(listeners, allocator, rings.failures, unknownBytes);
            rings.readers.add(RingReader.open(RelayRings.file(folder, rings.readers.size()), receiver));
            rings.receivers.add(receiver);
        }
        if (rings.readers.isEmpty()) {
            throw new IOException(folder + ": no rings (expected: ring-0)");
        }
        return rings;
    }

    /** Begins to read. */
    public void start() {
        thread.start();
    }

    /** How many there are. */
    public int count() {
        return readers.size();
    }

    /**
     * Up to when taps have been told what the tap process's loops had appended to any ring, {@link System#nanoTime()}:
     * the same clock in both processes. Moves at each look, also while nothing comes; far in the past before the first.
     */
    public long handedOver() {
        return ended ? System.nanoTime() : handedOver;
    }

    /** Copies that ended by a defect. */
    public long failures() {
        return failures.sum();
    }

    /** How often what a ring held couldn't be read on. */
    public long damages() {
        return receivers.stream().mapToLong(RecordReceiver::damages).sum();
    }

    private void run() {
        try {
            lookUntilClosed();
        } finally {
            ended = true;
        }
    }

    private void lookUntilClosed() {
        int idle = 0;
        boolean any = true;
        while (!closed || any) {
            any = readSome();
            idle = any ? 0 : Math.min(MOST_IDLE, idle + 1);
            if (idle > 0 && !closed) {
                LockSupport.parkNanos(idle < MOST_IDLE ? BUSY_NANOS : IDLE_NANOS);
            }
        }
    }

    /** Reads some of what is in each ring; false if there was nothing. For the reading thread. */
    boolean readSome() {
        boolean any = false;
        boolean failed = false;
        try {
            eachLook.run();
        } catch (Throwable e) {
            failed = true;
            log(e);
        }
        for (RingReader reader : readers) {
            try {
                any |= reader.read();
            } catch (Throwable e) {
                any = true;
                failed = true;
                log(e);
            }
        }
        failing = failed;
        handedOver = earliest();
        return any;
    }

    private void log(Throwable e) {
        if (!failing) {
            LOG.error("the tap stream can't be read on; it is tried again", e);
        }
    }

    private long earliest() {
        long now = System.nanoTime();
        long longestAgo = 0;
        for (RingReader reader : readers) {
            longestAgo = Math.max(longestAgo, now - reader.handedOver());
        }
        return now - longestAgo;
    }

    /** Reads what is there, for some seconds at most, and then no more. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }
}

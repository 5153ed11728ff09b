package dev.understudy.relay.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocks that wait on disk, of all lanes of a process, in segment files that are written from start to end and deleted
 * once nobody wants anything in them.
 *
 * <p>All files belong to one thread; {@link #write}, {@link #read} and {@link #free} leave it a task and return. Its
 * queue is bounded by its callers: what is to be written is charged to their memory until it was, and each of them
 * waits for one read at a time. No more than {@value #MOST_READS} blocks that were read wait to be picked up.
 * Thread-safe.
 *
 * <p>Most spills end with their process. One that is {@linkplain #keep kept} leaves its files to the next: whatever
 * ends the process, blocks that were written and not freed are {@linkplain #load found} again, and a block that wasn't
 * whole isn't.
 *
 * <p>A write that fails leaves the block with its caller, and writes are refused for a second; that is logged once
 * until one succeeds again.
 */
public final class Spill implements AutoCloseable {
    static final int MOST_READS = 32;

    private static final Logger LOG = LoggerFactory.getLogger(Spill.class);
    private static final long CLOSE_SECONDS = 5;
    private static final long PAUSE_NANOS = 1_000_000_000L;

    private final ProcessDirectory directory;
    private final String holder;
    private final boolean kept;
    private final ByteBufAllocator allocator;
    private final long capacity;
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong read = new AtomicLong();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread created = new Thread(work, "understudy-spill");
        created.setDaemon(true);
        return created;
    });
    private volatile String trouble = "";
    private volatile long failedNanos;

    // confined to the thread
    private final Segments segments;
    private final Deque<Runnable> parked = new ArrayDeque<>();
    private int reads;

    private Spill(ProcessDirectory directory, String holder, boolean kept, ByteBufAllocator allocator, long capacity) {
        if (capacity <= 0) {
            throw new IllegalArgumentException("capacity: " + capacity + " (expected: > 0)");
        }
        this.directory = directory;
        this.holder = holder;
        this.kept = kept;
        this.allocator = allocator;
        this.capacity = capacity;
        this.segments = new Segments(directory, holder, kept, allocator, used, capacity);
    }

    /**
     * A spill in a new directory below {@code parent}.
     *
     * @param capacity bytes that its files may take, except for some megabytes while blocks are moved together
     * @throws IOException if there can't be such a directory
     */
    public static Spill open(Path parent, ByteBufAllocator allocator, long capacity) throws IOException {
        return new Spill(ProcessDirectory.open(parent, "spill-"), "the window", false, allocator, capacity);
    }

    /**
     * The spill in this directory, whose files stay when its process ends.
     *
     * @param holder whose blocks they are, in the log
     * @param capacity bytes that its files may take, except for some megabytes while blocks are moved together
     * @throws IOException if there can't be such a directory, or another process has it
     */
    public static Spill keep(Path directory, String holder, ByteBufAllocator allocator, long capacity)
            throws IOException {
        return new Spill(ProcessDirectory.keep(directory), holder, true, allocator, capacity);
    }

    /** Tells {@code found} of all blocks that the process before left; other work is done in between. */
    public void load(FoundBlocks found) {
        execute(() -> {
            Iterator<Segment> left = List.<Segment>of().iterator();
            try {
                left = segments.left().iterator();
            } catch (IOException | RuntimeException failed) {
                found.damaged("what was left can't be listed: " + failed);
            }
            loadNext(left, found);
        });
    }

    private void loadNext(Iterator<Segment> left, FoundBlocks found) {
        if (!left.hasNext()) {
            found.all();
            return;
        }
        Segment segment = left.next();
        try {
            segments.load(segment, found);
        } catch (IOException | RuntimeException failed) {
            found.damaged(segment + " can't be read: " + failed);
        }
        execute(() -> loadNext(left, found));
    }

    /** Bytes of its files. */
    public long used() {
        return used.get();
    }

    /** Bytes that its files may take. */
    public long capacity() {
        return capacity;
    }

    /** Bytes written so far. */
    public long written() {
        return written.get();
    }

    /** Bytes read so far. */
    public long read() {
        return read.get();
    }

    /** Whether the last write failed. */
    public boolean failing() {
        return !trouble.isEmpty();
    }

    /** Why the last write failed, or "" if it didn't. */
    public String trouble() {
        return trouble;
    }

    /** Where its files are. */
    public Path directory() {
        return directory.path();
    }

    /** Where its blocks can be allocated. */
    public ByteBufAllocator allocator() {
        return allocator;
    }

    /**
     * Writes {@code block}, if there is room.
     *
     * @param done is told on {@code whence} where it lies, or null if it couldn't be written
     * @return false if there is no room, or writing failed a moment ago: the block stays with the caller then; else it
     *     is this spill's to release
     */
    public boolean write(ByteBuf block, Executor whence, Consumer<@Nullable SpilledBlock> done) {
        return write(block.readableBytes(), () -> block, whence, done);
    }

    /**
     * Has a block made on the spill's thread, and writes it, if there is room.
     *
     * @param about how long it will be
     * @param made makes it; the spill releases it. If it throws, the block couldn't be written
     * @return false if there is no room, or writing failed a moment ago: nothing is made or told then
     */
    public boolean write(int about, Supplier<ByteBuf> made, Executor whence, Consumer<@Nullable SpilledBlock> done) {
        if (failing() && System.nanoTime() - failedNanos < PAUSE_NANOS) {
            return false;
        }
        if (used.addAndGet(about) > capacity) {
            used.addAndGet(-about);
            return false;
        }
        try {
            thread.execute(() -> writeNow(about, made, whence, done));
            return true;
        } catch (RejectedExecutionException closed) {
            used.addAndGet(-about);
            return false;
        }
    }

    /**
     * Reads the block at {@code place}, which stays there; {@code done} gets it on {@code whence}, or null if it is
     * lost.
     */
    public void read(SpilledBlock place, Executor whence, Consumer<@Nullable BlockReader> done) {
        execute(() -> {
            if (reads >= MOST_READS) {
                parked.add(() -> readNow(place, whence, done));
            } else {
                readNow(place, whence, done);
            }
        });
    }

    /** Nobody wants the block at {@code place} any more. */
    public void free(SpilledBlock place) {
        execute(() -> segments.free(place));
    }

    /** Does other short work with files, behind what it was left before; nothing once it is closed. */
    public void alsoDo(Runnable work) {
        execute(work);
    }

    /** Deletes all files unless they are kept, which takes some seconds at most; what is to be written still is. */
    @Override
    public void close() {
        execute(() -> {
            if (kept) {
                rest();
            } else {
                segments.clear();
            }
            directory.close();
        });
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("{} is left behind: the disk is too slow", directory.path());
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    private void rest() {
        try {
            segments.rest();
        } catch (IOException stays) {
            LOG.debug("a file of {} couldn't be closed", holder, stays);
        }
    }

    private void execute(Runnable work) {
        try {
            thread.execute(work);
        } catch (RejectedExecutionException closed) {
            LOG.debug("the spill is closed");
        }
    }

    private void writeNow(int about, Supplier<ByteBuf> made, Executor whence, Consumer<@Nullable SpilledBlock> done) {
        SpilledBlock place = null;
        try {
            ByteBuf block = made.get();
            try {
                place = segments.append(block);
                used.addAndGet(place.length() - about);
                written.addAndGet(place.length());
            } finally {
                block.release();
            }
            if (failing()) {
                trouble = "";
                LOG.info("{} can be written to disk again", holder);
            }
        } catch (IOException | RuntimeException | Error failed) {
            used.addAndGet(-about);
            failedNanos = System.nanoTime();
            if (!failing()) {
                LOG.warn("{} can't be written to disk, it goes on in memory: {}", holder, failed.toString());
            }
            trouble = failed.toString();
        }
        SpilledBlock told = place;
        hand(whence, () -> done.accept(told), () -> {});
    }

    private void readNow(SpilledBlock place, Executor whence, Consumer<@Nullable BlockReader> done) {
        BlockReader block = null;
        try {
            block = BlockReader.open(segments.read(place));
            read.addAndGet(place.length());
        } catch (IOException | RuntimeException | Error lost) {
            LOG.warn("a block of {} can't be read back: {}", holder, lost.toString());
        }
        BlockReader told = block;
        reads++;
        hand(
                whence,
                () -> {
                    done.accept(told);
                    execute(this::pickedUp);
                },
                () -> {
                    if (told != null) {
                        told.release();
                    }
                    pickedUp();
                });
    }

    private void pickedUp() {
        reads--;
        Runnable next = parked.poll();
        if (next != null) {
            next.run();
        }
    }

    private static void hand(Executor whence, Runnable done, Runnable otherwise) {
        try {
            whence.execute(done);
        } catch (RejectedExecutionException stopped) {
            otherwise.run();
        }
    }
}

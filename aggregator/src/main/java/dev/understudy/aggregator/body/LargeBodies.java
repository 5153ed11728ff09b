package dev.understudy.aggregator.body;

import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.BlockWriter;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.stream.SpilledBlock;
import dev.understudy.relay.stream.StreamEvent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The large bodies of one upstream, each in pieces of {@value #PIECE} bytes, each piece a checksummed block in files
 * that one thread writes and reads. What waits to be written is bounded; what doesn't fit is lost, and nobody waits.
 * Safe for all threads.
 */
public final class LargeBodies implements AutoCloseable {
    static final int PIECE = 256 << 10;

    private final Spill spill;
    private final RecoveredBodies earlier;
    private final long threshold;
    private final MemoryBudget memory;
    private final Cleaner cleaner = Cleaner.create();
    private final AtomicLong lastId = new AtomicLong(new SecureRandom().nextLong());
    private final AtomicLong waiting = new AtomicLong();
    private final AtomicLong live = new AtomicLong();
    private final AtomicLong begun = new AtomicLong();
    private volatile Runnable crowded = () -> {};

    /** @param kept whether what lies there already is read */
    LargeBodies(Spill spill, boolean kept, long threshold, MemoryBudget memory) {
        this.spill = spill;
        this.threshold = threshold;
        this.memory = memory;
        this.earlier = new RecoveredBodies(spill, kept);
    }

    /**
     * Bodies that are deleted when the process ends, or when the next one begins if it couldn't.
     *
     * @param capacity bytes on disk
     * @param threshold bytes up to which a body had better stay in memory
     * @param memory what waits for the disk is reserved there; if there is no room, it is lost
     * @throws IOException if there can't be a directory below {@code parent}
     */
    public static LargeBodies open(
            Path parent, ByteBufAllocator allocator, long capacity, long threshold, MemoryBudget memory)
            throws IOException {
        return new LargeBodies(Spill.open(parent, allocator, capacity), false, threshold, memory);
    }

    /**
     * Bodies that the next process finds again, and that are read from now on if one left any.
     *
     * @throws IOException if the directory can't be made, or is another process's
     */
    public static LargeBodies keep(
            Path directory, ByteBufAllocator allocator, long capacity, long threshold, MemoryBudget memory)
            throws IOException {
        Spill spill = Spill.keep(directory, "large replies in " + directory, allocator, capacity);
        return new LargeBodies(spill, true, threshold, memory);
    }

    /**
     * Sets what is told, by those who write, that only a quarter of the room is left for what they write: it may
     * discard bodies. It must not wait.
     */
    public void whenCrowded(Runnable told) {
        crowded = told;
    }

    /** Whether there should be less. */
    public boolean crowded() {
        return live.get() > spill.capacity() / 16 * 11;
    }

    /** Bytes up to which a body had better stay in memory. */
    public long threshold() {
        return threshold;
    }

    /** Begins one. */
    public BodyWriter begin() {
        begun.incrementAndGet();
        return new BodyWriter(this, id());
    }

    private long id() {
        long id = lastId.incrementAndGet();
        return id == 0 ? lastId.incrementAndGet() : id;
    }

    /** A body that an earlier process wrote, by what is known of it. */
    public LargeBody earlier(long id, long length, long sum) {
        BodySegments pieces = new BodySegments(this);
        earlier.claim(id, length, pieces);
        return new LargeBody(this, pieces, id, length, sum);
    }

    /** What isn't known by now of what an earlier process wrote, isn't wanted. */
    public void allKnown() {
        earlier.allClaimed();
    }

    /** Bytes of the files. */
    public long used() {
        return spill.used();
    }

    /** Bytes that they may have. */
    public long capacity() {
        return spill.capacity();
    }

    /** How many bodies were begun. */
    public long begun() {
        return begun.get();
    }

    /** Bytes of memory that wait to be written. */
    public long waiting() {
        return waiting.get();
    }

    /** Why the last write failed; "" if it didn't. */
    public String trouble() {
        return spill.trouble();
    }

    /** Deletes the files unless they are kept, within some seconds. */
    @Override
    public void close() {
        spill.close();
    }

    void watch(LargeBody body, BodySegments pieces) {
        cleaner.register(body, pieces);
    }

    void lives(long bytes) {
        live.addAndGet(bytes);
    }

    /** An empty piece, owned by the caller. */
    BlockWriter piece(long id, int number) {
        return BlockWriter.of(spill.allocator(), id, PIECE, StreamEvent.REPLY, number);
    }

    /** Has a piece written, which is this one's to release; returns why not, or null. */
    @Nullable
    Loss write(BodySegments pieces, BlockWriter piece) {
        if (crowded()) {
            crowded.run();
        }
        if (!memory.tryReserve(PIECE)) {
            piece.release();
            return Loss.SLOW;
        }
        waiting.addAndGet(PIECE);
        int number = pieces.next(piece.bytes());
        lives(piece.bytes());
        boolean taken = spill.write(piece.bytes(), piece::finish, Runnable::run, place -> {
            isWritten();
            pieces.written(number, place);
        });
        if (taken) {
            return null;
        }
        isWritten();
        piece.release();
        Loss refused = spill.failing() ? Loss.FAILED : Loss.NO_ROOM;
        pieces.lost(refused);
        pieces.written(number, null);
        return refused;
    }

    private void isWritten() {
        waiting.addAndGet(-PIECE);
        memory.release(PIECE);
    }

    void read(SpilledBlock place, Executor caller, Consumer<@Nullable ByteBuf> then) {
        spill.read(place, caller, block -> then.accept(block == null ? null : data(block)));
    }

    private static ByteBuf data(BlockReader block) {
        ByteBuf data = block.data();
        block.release();
        return data;
    }

    void free(SpilledBlock place) {
        spill.free(place);
    }
}

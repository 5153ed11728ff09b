package dev.understudy.relay.lane;

import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.BlockWriter;
import dev.understudy.relay.stream.DamagedBlock;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.stream.SpilledBlock;
import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.relay.tap.Direction;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a lane's observer has no room for yet: a FIFO of blocks, first in memory, then on disk.
 *
 * <pre>
 *   add ─▶ writer ─▶ block · block · block · block ─▶ reader ─▶ poll
 *                    memory    disk    disk
 * </pre>
 *
 * <p>Events are copied into blocks, so that what waits takes no more memory than it has bytes, and what they came in
 * goes back to the sockets. Blocks move to disk when they hold more than half a megabyte or a quarter of the lane's
 * budget, or when more than half of all lanes' budget is used. A block that is read back without there being room for
 * it is given up after a turn and read again. Confined to its lane loop.
 */
final class Backlog {
    private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);
    private static final int LARGEST_BLOCK = 256 << 10;
    private static final int MOST_KEPT = 2 * LARGEST_BLOCK;
    private static final int LEAST_WRITTEN = 16 << 10;
    private static final double TIGHT = 0.5;
    private static final double DIRE = 0.75;
    private static final double NEAR = 0.75;
    private static final double RELIEVED = 0.5;

    /** Charged per block on disk, for the objects that know where. */
    private static final int PLACE_OVERHEAD = 128;

    private final long connection;
    private final EventLoop loop;
    private final ByteBufAllocator allocator;
    private final MemoryBudget budget;
    private final LaneMetrics metrics;
    private final @Nullable Spill spill;
    private final Runnable more;
    private final int blockSize;

    private final Deque<Waiting> chain = new ArrayDeque<>();
    private final Deque<Waiting> writable = new ArrayDeque<>();
    private @Nullable BlockWriter writer;
    private Waiting writing = new Waiting();
    private @Nullable BlockReader reader;
    private boolean uncharged;
    private boolean reading;
    private boolean broken;
    private LossReason refusal = LossReason.OVERFLOW_LANE;
    private long inMemory;
    private long underway;

    /** @param more is run on the loop when there may be something to {@link #poll}, or {@link #broken} */
    Backlog(
            long connection,
            EventLoop loop,
            ByteBufAllocator allocator,
            MemoryBudget budget,
            LaneMetrics metrics,
            @Nullable Spill spill,
            Runnable more) {
        this.connection = connection;
        this.loop = loop;
        this.allocator = allocator;
        this.budget = budget;
        this.metrics = metrics;
        this.spill = spill;
        this.more = more;
        long share = budget.capacity() / 16;
        this.blockSize = (int) Math.max(4L * BlockWriter.smallest(), Math.min(LARGEST_BLOCK, share));
    }

    boolean isEmpty() {
        return chain.isEmpty() && (writer == null || writer.isEmpty());
    }

    /** When the oldest event in here happened; only if it isn't empty. */
    long oldestNanos() {
        Waiting first = chain.peek();
        return first == null ? writing.nanos : first.nanos;
    }

    /** Whether what waited can't be read back. */
    boolean broken() {
        return broken;
    }

    /** Why the memory for what was added last wasn't to be had. */
    LossReason refusal() {
        return refusal;
    }

    /** As {@link Lane#nearOverflow}. */
    LossReason nearOverflow() {
        if (Math.max(budget.fill(), budget.pressure()) < NEAR) {
            return LossReason.NONE;
        }
        LossReason ofMemory = budget.fill() < NEAR ? LossReason.OVERFLOW_GLOBAL : LossReason.OVERFLOW_LANE;
        return spill == null ? ofMemory : shortage();
    }

    /** As {@link Lane#relieved}. */
    boolean isRelieved() {
        boolean roomy = Math.max(budget.fill(), budget.pressure()) < RELIEVED && shortage() == LossReason.NONE;
        return roomy || (isEmpty() && nearOverflow() == LossReason.NONE);
    }

    /** Why the disk gives no more room; {@link LossReason#NONE} if it does, or isn't needed. */
    LossReason shortage() {
        if (spill == null || isEmpty()) {
            return LossReason.NONE;
        }
        if (spill.failing()) {
            return LossReason.SPILL_FAILED;
        }
        return spill.used() + blockSize > spill.capacity() ? LossReason.OVERFLOW_DISK : LossReason.NONE;
    }

    /**
     * Adds an event, copying its bytes, which stay with the caller.
     *
     * @return whether there was room; if not, the bytes up to the data's reader index were added and the rest was not
     */
    boolean add(StreamEvent event, long nanos, @Nullable ByteBuf data) {
        int left = data == null ? 0 : data.readableBytes();
        do {
            BlockWriter block = writer(left);
            int piece = block == null ? 0 : Math.min(left, block.room());
            if (block == null || !reserved(block.capacityWith(piece) - block.capacity())) {
                return false;
            }
            if (block.isEmpty()) {
                writing.nanos = nanos;
            }
            block.add(event, nanos, data, piece);
            writing.count(event, piece);
            metrics.waiting(piece);
            left -= piece;
        } while (left > 0);
        return true;
    }

    /** The block to write to, with room for some bytes if there are any; null if there is no memory for one. */
    private @Nullable BlockWriter writer(int wanted) {
        if (writer != null && writer.room() < Math.min(1, wanted)) {
            seal();
        }
        if (writer == null && reserved(BlockWriter.smallest())) {
            writer = new BlockWriter(allocator, connection, blockSize);
            writing = new Waiting();
        }
        return writer;
    }

    private boolean reserved(long bytes) {
        LossReason shortage = budget.reserve(bytes);
        if (shortage != LossReason.NONE) {
            refusal = shortage;
            return false;
        }
        inMemory += bytes;
        return true;
    }

    private void release(long bytes) {
        budget.release(bytes);
        inMemory -= bytes;
    }

    private void seal() {
        BlockWriter full = writer;
        if (full != null && !full.isEmpty()) {
            writer = null;
            writing.charge = full.capacity();
            writing.memory = full.finish();
            chain.add(writing);
            writable.add(writing);
        }
    }

    /** Moves blocks to disk if there is need and room; called when a turn of the loop has added what it had. */
    void spill() {
        Spill disk = spill;
        if (disk == null) {
            return;
        }
        double pressure = budget.pressure();
        boolean tight = pressure > TIGHT;
        if (tight && writer != null && writer.bytes() >= (pressure > DIRE ? 1 : LEAST_WRITTEN)) {
            seal();
        }
        long kept = Math.min(budget.capacity() / 4, MOST_KEPT);
        Waiting block = writable.peek();
        while (block != null && (tight || inMemory - underway > kept)) {
            ByteBuf memory = block.memory;
            boolean wanted = memory == null || isRead(block);
            if (memory != null && !wanted && !write(disk, block, memory)) {
                return;
            }
            writable.remove();
            block = writable.peek();
        }
    }

    private boolean isRead(Waiting block) {
        return reader != null && block == chain.peek();
    }

    private boolean write(Spill disk, Waiting block, ByteBuf memory) {
        ByteBuf written = memory.retainedDuplicate();
        long charge = block.charge;
        boolean accepted = disk.write(written, loop, place -> written(disk, block, place, charge));
        if (accepted) {
            underway += charge;
        } else {
            written.release();
        }
        return accepted;
    }

    private void written(Spill disk, Waiting block, @Nullable SpilledBlock place, long charge) {
        ByteBuf memory = block.memory;
        underway -= charge;
        if (place == null) {
            if (memory != null) {
                writable.addFirst(block);
            }
        } else if (memory == null || isRead(block)) {
            disk.free(place);
        } else {
            block.memory = null;
            block.disk = place;
            memory.release();
            release(block.charge - PLACE_OVERHEAD);
            block.charge = PLACE_OVERHEAD;
        }
        more.run();
    }

    /** Whether there is an event to {@link #poll} now; if it has to be read from disk first, that begins. */
    boolean ready() {
        if (reader == null && !reading && !broken) {
            if (chain.isEmpty()) {
                seal();
            }
            Waiting first = chain.peek();
            if (first != null) {
                open(first);
            }
        }
        return reader != null;
    }

    private void open(Waiting first) {
        ByteBuf memory = first.memory;
        SpilledBlock place = first.disk;
        if (memory != null) {
            opened(first, read(memory.retainedDuplicate()));
        } else if (place != null && spill != null) {
            reading = true;
            spill.read(place, loop, block -> {
                reading = false;
                if (chain.peek() == first) {
                    uncharged = block != null && !reserved(block.capacity());
                    opened(first, block);
                    more.run();
                } else if (block != null) {
                    block.release();
                }
            });
        }
    }

    private void opened(Waiting first, @Nullable BlockReader block) {
        if (block == null || block.connection() != connection) {
            broken = true;
            if (block != null) {
                reader = block;
                close();
            }
        } else {
            reader = block;
            block.position(first.position);
        }
    }

    private @Nullable BlockReader read(ByteBuf memory) {
        try {
            return BlockReader.open(memory);
        } catch (DamagedBlock impossible) {
            LOG.error("connection {}: its backlog in memory is damaged", connection, impossible);
            return null;
        }
    }

    /** Takes the oldest event out; only after {@link #ready}. */
    TapEntry poll() {
        BlockReader from = reader;
        Waiting first = chain.element();
        if (from == null) {
            throw new IllegalStateException("not ready");
        }
        StreamEvent event = from.event();
        boolean bytes = event == StreamEvent.REQUEST || event == StreamEvent.REPLY;
        TapEntry entry = new TapEntry(event, bytes ? from.data() : null, 0, from.nanos());
        first.count(event, -from.length());
        metrics.waiting(-from.length());
        from.skip();
        first.position = from.position();
        if (from.hasRecord()) {
            first.nanos = from.nanos();
        } else {
            close();
            chain.remove();
            free(first);
        }
        return entry;
    }

    /** Gives back what there was no room for; called when the observer was told what it wanted. */
    void rest() {
        if (uncharged) {
            close();
        }
    }

    private void close() {
        BlockReader done = reader;
        reader = null;
        if (done != null) {
            Waiting first = chain.peek();
            if (first != null && first.memory == null && !uncharged) {
                release(done.capacity());
            }
            uncharged = false;
            done.release();
        }
    }

    private void free(Waiting block) {
        release(block.charge);
        ByteBuf memory = block.memory;
        block.memory = null;
        if (memory != null) {
            memory.release();
        }
        if (block.disk != null && spill != null) {
            spill.free(block.disk);
        }
    }

    /** Drops all of it; tells how many bytes that were in {@code lost}. */
    void drop(Lost lost) {
        close();
        BlockWriter unwritten = writer;
        if (unwritten != null) {
            writer = null;
            release(unwritten.capacity());
            unwritten.release();
            drop(writing, lost);
        }
        for (Waiting block = chain.poll(); block != null; block = chain.poll()) {
            free(block);
            drop(block, lost);
        }
        writable.clear();
        broken = false;
    }

    private void drop(Waiting block, Lost lost) {
        metrics.waiting(-block.requestBytes - block.replyBytes);
        lost.bytes(Direction.REQUEST, block.requestBytes);
        lost.bytes(Direction.REPLY, block.replyBytes);
    }

    /** Is told how many bytes were dropped. */
    interface Lost {
        void bytes(Direction direction, long count);
    }
}

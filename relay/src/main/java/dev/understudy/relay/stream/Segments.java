package dev.understudy.relay.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segment files of a spill: one that is written to, and those that are full and still wanted. Confined to the
 * spill's thread, but for what they take.
 */
final class Segments {
    private static final int MOST_OPEN = 16;

    private static final Logger LOG = LoggerFactory.getLogger(Segments.class);
    private static final long LARGEST_SEGMENT = 64L << 20;
    private static final long SMALLEST_SEGMENT = 1L << 20;

    private final ProcessDirectory directory;
    private final ByteBufAllocator allocator;
    private final AtomicLong used;
    private final long capacity;
    private final long segmentSize;
    private final boolean kept;
    private final String holder;

    private final Set<Segment> sealed = new LinkedHashSet<>();
    private final Deque<Segment> open = new ArrayDeque<>();
    private @Nullable Segment current;
    private int made;

    /**
     * None yet.
     *
     * @param holder whose blocks they are, in the log
     * @param kept whether another process shall be able to read them
     * @param used bytes that the files take, or will: whoever appends has added them; what is given back is taken off
     */
    Segments(
            ProcessDirectory directory,
            String holder,
            boolean kept,
            ByteBufAllocator allocator,
            AtomicLong used,
            long capacity) {
        this.directory = directory;
        this.holder = holder;
        this.kept = kept;
        this.allocator = allocator;
        this.used = used;
        this.capacity = capacity;
        this.segmentSize = Math.max(SMALLEST_SEGMENT, Math.min(LARGEST_SEGMENT, capacity / 16));
    }

    /** The files that another process left, whose bytes are {@code used} from now on; new ones get higher numbers. */
    List<Segment> left() throws IOException {
        List<Segment> left = new ArrayList<>();
        for (int number : directory.segments()) {
            Segment segment = Segment.left(directory.segment(number));
            used.addAndGet(segment.size());
            sealed.add(segment);
            left.add(segment);
            made = number;
        }
        return left;
    }

    /** Tells of every block in a file that another process left, and forgets those that aren't wanted. */
    void load(Segment segment, FoundBlocks found) throws IOException {
        long at = 0;
        while (at < segment.size()) {
            int length = lengthAt(segment, at);
            if (length == 0) {
                found.damaged(segment + " is cut off after " + at + " of " + segment.size() + " bytes");
                break;
            }
            if (length > 0) {
                found(segment, at, length, found);
            }
            at += Math.abs(length);
        }
        if (segment.isFree()) {
            delete(segment);
        }
    }

    /** Bytes of the block that begins there, negative if it is struck out; 0 if none begins there. */
    private int lengthAt(Segment segment, long at) throws IOException {
        if (segment.size() - at < BlockWriter.HEADER) {
            return 0;
        }
        opened(segment);
        ByteBuffer header = ByteBuffer.allocate(BlockWriter.HEADER);
        segment.read(at, header);
        int magic = header.getInt(0);
        int records = header.getInt(BlockWriter.LENGTH_AT);
        boolean known = magic == BlockWriter.MAGIC || magic == BlockWriter.STRUCK;
        if (!known || records < 0 || records > segment.size() - at - BlockWriter.HEADER) {
            return 0;
        }
        int length = BlockWriter.HEADER + records;
        return magic == BlockWriter.MAGIC ? length : -length;
    }

    private void found(Segment segment, long at, int length, FoundBlocks found) throws IOException {
        SpilledBlock place = segment.found(at, length);
        boolean wanted = false;
        try {
            BlockReader block = BlockReader.open(read(place));
            try {
                wanted = found.block(block, place);
            } finally {
                block.release();
            }
        } catch (DamagedBlock damaged) {
            found.damaged(segment + " at byte " + at + ": " + damaged.getMessage());
        }
        if (!wanted) {
            segment.free(place);
        }
    }

    /** Closes all files, until they are read again. */
    void rest() throws IOException {
        for (Segment segment : open) {
            segment.rest();
        }
        if (current != null) {
            current.rest();
        }
    }

    SpilledBlock append(ByteBuf block) throws IOException {
        return segmentFor(block.readableBytes()).append(block.nioBuffer());
    }

    private Segment segmentFor(int length) throws IOException {
        Segment segment = current;
        if (segment != null && segment.size() + length > segmentSize) {
            current = null;
            if (segment.isFree()) {
                delete(segment);
            } else {
                sealed.add(segment);
                opened(segment);
            }
            segment = null;
        }
        if (segment == null) {
            segment = Segment.create(directory.segment(++made), kept);
            current = segment;
        }
        return segment;
    }

    /** Closes the file that was opened longest ago when there are too many. */
    private void opened(Segment segment) throws IOException {
        if (segment != current && !open.contains(segment)) {
            open.add(segment);
            if (open.size() > MOST_OPEN) {
                open.remove().rest();
            }
        }
    }

    /** The whole block, owned by the caller. */
    ByteBuf read(SpilledBlock place) throws IOException {
        ByteBuf block = allocator.directBuffer(place.length(), place.length());
        try {
            opened(place.segment);
            place.segment.read(place.offset, block.nioBuffer(0, place.length()));
            return block.writerIndex(place.length());
        } catch (IOException | RuntimeException lost) {
            block.release();
            throw lost;
        }
    }

    /** Nobody wants the block at {@code place} any more. */
    void free(SpilledBlock place) {
        Segment segment = place.segment;
        try {
            segment.free(place);
        } catch (IOException stays) {
            LOG.warn("a block of {} can't be struck out: {}", holder, stays.toString());
        }
        if (segment.isFree()) {
            delete(segment);
        } else {
            compact();
        }
    }

    /**
     * Moves the blocks of the sparsest segment together with others while more than a quarter of the room is taken by
     * none.
     */
    private void compact() {
        long live = current == null ? 0 : current.liveBytes();
        long size = current == null ? 0 : current.size();
        Segment sparsest = null;
        for (Segment segment : sealed) {
            live += segment.liveBytes();
            size += segment.size();
            boolean sparse = segment.liveBytes() < segment.size() / 2;
            if (sparse && (sparsest == null || segment.liveBytes() < sparsest.liveBytes())) {
                sparsest = segment;
            }
        }
        if (sparsest != null && size - live > Math.max(capacity / 4, 2 * segmentSize)) {
            move(sparsest);
        }
    }

    private void move(Segment from) {
        try {
            for (SpilledBlock place : from.blocks()) {
                ByteBuf block = read(place);
                try {
                    from.leaving(place);
                    segmentFor(place.length()).append(block.nioBuffer(), place);
                    used.addAndGet(place.length());
                } finally {
                    block.release();
                }
            }
            delete(from);
        } catch (IOException | RuntimeException failed) {
            LOG.warn("blocks of {} couldn't be moved together: {}", holder, failed.toString());
        }
    }

    private void delete(Segment segment) {
        sealed.remove(segment);
        open.remove(segment);
        if (segment == current) {
            current = null;
        }
        try {
            segment.delete();
        } catch (IOException stays) {
            LOG.warn("a segment of {} couldn't be deleted: {}", holder, stays.toString());
        }
        used.addAndGet(-segment.size());
    }

    /** Deletes all files. */
    void clear() {
        for (Segment segment : Set.copyOf(sealed)) {
            delete(segment);
        }
        if (current != null) {
            delete(current);
        }
    }
}

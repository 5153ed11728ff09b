package dev.understudy.relay.stream;

import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the blocks of one segment file that a kept {@link Spill} left, without changing it or taking its lock: also
 * while its process lives. Confined to one thread at a time.
 */
public final class SegmentReader implements AutoCloseable {
    private static final int LARGEST_BLOCK = 256 << 20;

    private final FileChannel channel;
    private final long size;
    private long at;
    private long struck;
    private long damaged;
    private @Nullable String torn;

    private SegmentReader(FileChannel channel) throws IOException {
        this.channel = channel;
        this.size = channel.size();
    }

    /**
     * Opens a segment.
     *
     * @throws IOException if it can't be read
     */
    public static SegmentReader open(Path file) throws IOException {
        return new SegmentReader(FileChannel.open(file, StandardOpenOption.READ));
    }

    /** The segments in a directory, in the order of their names; none if it has none. */
    public static List<Path> in(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().matches("segment-[0-9]{1,9}"))
                    .sorted()
                    .toList();
        }
    }

    /** The next block that isn't struck out, to be released by the caller; null at the end, or where it is torn. */
    public @Nullable BlockReader next() throws IOException {
        while (torn == null && at < size) {
            ByteBuffer header = read(BlockWriter.HEADER);
            int magic = header == null ? 0 : header.getInt(0);
            int records = header == null ? 0 : header.getInt(BlockWriter.LENGTH_AT);
            boolean known = magic == BlockWriter.MAGIC || magic == BlockWriter.STRUCK;
            if (!known || records < 0 || records > LARGEST_BLOCK || records > size - at - BlockWriter.HEADER) {
                torn = "no whole block begins at byte " + at + " of " + size;
                return null;
            }
            int length = BlockWriter.HEADER + records;
            ByteBuffer block = magic == BlockWriter.MAGIC ? read(length) : null;
            at += length;
            if (block == null) {
                struck++;
                continue;
            }
            try {
                return BlockReader.open(Unpooled.wrappedBuffer(block));
            } catch (DamagedBlock wrong) {
                damaged++;
            }
        }
        return null;
    }

    private @Nullable ByteBuffer read(int length) throws IOException {
        if (length > size - at) {
            return null;
        }
        ByteBuffer into = ByteBuffer.allocate(length);
        for (long from = at; into.hasRemaining(); ) {
            int read = channel.read(into, from);
            if (read < 0) {
                return null;
            }
            from += read;
        }
        return into.flip();
    }

    /** Blocks that were struck out so far, since nobody wanted them any more. */
    public long struck() {
        return struck;
    }

    /** Blocks so far whose checksum or records are wrong. */
    public long damaged() {
        return damaged;
    }

    /** Why nothing was read after the last block, or null if all was. */
    public @Nullable String torn() {
        return torn;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

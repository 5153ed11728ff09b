package dev.understudy.relay.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongPredicate;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads a recording, block by block, up to its end or to where it is torn: a process that died in the middle of a write
 * leaves a last block that isn't whole. Confined to one thread at a time.
 */
public final class RecordingReader implements AutoCloseable {
    private static final int LARGEST_BLOCK = 16 << 20;

    private final FileChannel channel;
    private final long size;
    private final long epochMillis;
    private final long nanos;
    private long at = RecordingWriter.HEADER;
    private @Nullable DamagedBlock torn;

    private RecordingReader(FileChannel channel, ByteBuffer header) throws IOException {
        this.channel = channel;
        this.size = channel.size();
        this.epochMillis = header.getLong(8);
        this.nanos = header.getLong(16);
    }

    /**
     * Opens a recording.
     *
     * @throws IOException if it can't be read or isn't one; the message says which
     */
    public static RecordingReader open(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            ByteBuffer header = ByteBuffer.allocate(RecordingWriter.HEADER);
            if (!fill(channel, header, 0) || header.getLong(0) != RecordingWriter.MAGIC) {
                throw new DamagedBlock(file + " is no recording");
            }
            CRC32C crc = new CRC32C();
            crc.update(header.array(), 0, RecordingWriter.HEADER - 4);
            if ((int) crc.getValue() != header.getInt(RecordingWriter.HEADER - 4)) {
                throw new DamagedBlock("the header of " + file + " is damaged");
            }
            return new RecordingReader(channel, header);
        } catch (IOException | RuntimeException unreadable) {
            channel.close();
            throw unreadable;
        }
    }

    private static boolean fill(FileChannel channel, ByteBuffer into, long from) throws IOException {
        long position = from;
        while (into.hasRemaining()) {
            int read = channel.read(into, position);
            if (read < 0) {
                return false;
            }
            position += read;
        }
        into.flip();
        return true;
    }

    /** When it was begun, epoch milliseconds. */
    public long epochMillis() {
        return epochMillis;
    }

    /** When it was begun, on the clock of its records. */
    public long nanos() {
        return nanos;
    }

    /** Where in the file the next block begins. */
    public long position() {
        return at;
    }

    /** The next block, to be released by the caller; null at the end, or where the file is {@link #torn}. */
    public @Nullable BlockReader next() throws IOException {
        if (torn != null || at >= size) {
            return null;
        }
        try {
            BlockReader block = blockAt(at);
            at += block.capacity();
            return block;
        } catch (DamagedBlock damaged) {
            torn = damaged;
            return null;
        }
    }

    /**
     * The block that begins at {@code position}.
     *
     * @throws DamagedBlock if there is none
     */
    public BlockReader blockAt(long position) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(BlockWriter.HEADER);
        if (!fill(channel, header, position)) {
            throw new DamagedBlock("the last block isn't whole");
        }
        int length = header.getInt(BlockWriter.LENGTH_AT);
        if (header.getInt(0) != BlockWriter.MAGIC || length < 0 || length > LARGEST_BLOCK) {
            throw new DamagedBlock("no block begins at byte " + position);
        }
        if (position + BlockWriter.HEADER + length > size) {
            throw new DamagedBlock("the last block isn't whole");
        }
        ByteBuffer whole = ByteBuffer.allocate(BlockWriter.HEADER + length);
        if (!fill(channel, whole, position)) {
            throw new DamagedBlock("the last block isn't whole");
        }
        ByteBuf block = Unpooled.wrappedBuffer(whole);
        return BlockReader.open(block);
    }

    /**
     * Writes a recording of some of the connections: their blocks as they are, from {@link #position} on, up to the end
     * or to where this one is {@link #torn}.
     */
    public void copy(LongPredicate chosen, WritableByteChannel to) throws IOException {
        transfer(0, RecordingWriter.HEADER, to);
        long begin = at;
        for (BlockReader block = next(); block != null; block = next()) {
            if (chosen.test(block.connection())) {
                transfer(begin, at, to);
            }
            block.release();
            begin = at;
        }
    }

    private void transfer(long from, long until, WritableByteChannel to) throws IOException {
        for (long position = from; position < until; ) {
            long moved = channel.transferTo(position, until - position, to);
            if (moved <= 0) {
                throw new EOFException("the recording became shorter while it was read");
            }
            position += moved;
        }
    }

    /** Why nothing was read after {@link #position}, or null if all was. */
    public @Nullable String torn() {
        return torn == null ? null : torn.getMessage() + ", " + (size - at) + " bytes are cut off";
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

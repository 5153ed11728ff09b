package dev.understudy.relay.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Makes one block of records of one connection.
 *
 * <p>Its buffer starts small and doubles, never beyond a limit, and only when told so, since somebody else accounts for
 * the memory. Confined to one thread at a time.
 */
public final class BlockWriter {
    /** Bytes of a block before its records. */
    public static final int HEADER = 20;

    /** Bytes of a record before its own bytes. */
    public static final int RECORD = 13;

    static final int MAGIC = 0x55424C4B;

    /** Stands in the magic's place of a block that nobody wants any more, in files that outlive their process. */
    static final int STRUCK = 0x55474F4E;

    static final int LENGTH_AT = 4;
    static final int CHECKSUM_AT = 16;

    private static final int SMALLEST = 1024;

    private final ByteBuf block;
    private final int limit;
    private int records;
    private int last;

    /**
     * An empty block.
     *
     * @param limit bytes that the block may have at most, with its header; at least 1024
     */
    public BlockWriter(ByteBufAllocator allocator, long connection, int limit) {
        this(allocator, connection, SMALLEST, limit);
    }

    private BlockWriter(ByteBufAllocator allocator, long connection, int capacity, int limit) {
        if (limit < SMALLEST) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: >= " + SMALLEST + ")");
        }
        this.limit = limit;
        this.block = allocator.buffer(capacity, limit);
        block.writeInt(MAGIC).writeInt(0).writeLong(connection).writeInt(0);
    }

    /**
     * A block with one record that is still empty, for {@link #append}; its buffer needn't grow.
     *
     * @param limit bytes that the block may have at most; at least 1024
     */
    public static BlockWriter of(
            ByteBufAllocator allocator, long connection, int limit, StreamEvent event, long nanos) {
        BlockWriter block = new BlockWriter(allocator, connection, limit, limit);
        block.add(event, nanos, null, 0);
        return block;
    }

    /**
     * Goes on with the last record, of which there is one: copies as many of these bytes as there is room for.
     *
     * @return whether there is room for more
     */
    public boolean append(ByteBuffer data) {
        int some = Math.min(data.remaining(), limit - block.writerIndex());
        block.writeBytes(data.duplicate().limit(data.position() + some));
        data.position(data.position() + some);
        block.setInt(last + RECORD - Integer.BYTES, block.writerIndex() - last - RECORD);
        return block.writerIndex() < limit;
    }

    /** The capacity of every block's buffer to begin with. */
    public static int smallest() {
        return SMALLEST;
    }

    /** How many bytes the next record may have, or a negative number if there can't be another. */
    public int room() {
        return limit - block.writerIndex() - RECORD;
    }

    /** The capacity that the buffer will have once a record with {@code length} bytes was added. */
    public int capacityWith(int length) {
        int needed = block.writerIndex() + RECORD + length;
        int capacity = block.capacity();
        while (capacity < needed) {
            capacity *= 2;
        }
        return Math.min(capacity, limit);
    }

    /** Bytes of memory that the buffer takes. */
    public int capacity() {
        return block.capacity();
    }

    /** Bytes that the block has so far. */
    public int bytes() {
        return block.writerIndex();
    }

    /** Whether it has no records. */
    public boolean isEmpty() {
        return records == 0;
    }

    /**
     * Adds a record.
     *
     * @param data whose next {@code length} bytes are read; null if {@code length} is 0
     * @throws IllegalArgumentException if there is no {@link #room} for it
     */
    public void add(StreamEvent event, long nanos, @Nullable ByteBuf data, int length) {
        if (length > room()) {
            throw new IllegalArgumentException("length: " + length + " (expected: <= " + room() + ")");
        }
        block.capacity(capacityWith(length));
        last = block.writerIndex();
        block.writeByte(event.code()).writeLong(nanos).writeInt(length);
        if (data != null) {
            block.writeBytes(data, length);
        }
        records++;
    }

    /** The whole block with its checksum, owned by the caller; nothing can be added any more. */
    public ByteBuf finish() {
        block.setInt(LENGTH_AT, block.writerIndex() - HEADER);
        block.setInt(CHECKSUM_AT, checksum(block));
        return block;
    }

    /** Gives the buffer back instead. */
    public void release() {
        block.release();
    }

    static int checksum(ByteBuf block) {
        CRC32C crc = new CRC32C();
        int start = block.readerIndex();
        crc.update(block.nioBuffer(start + LENGTH_AT, CHECKSUM_AT - LENGTH_AT));
        crc.update(block.nioBuffer(start + HEADER, block.readableBytes() - HEADER));
        return (int) crc.getValue();
    }
}

package dev.understudy.relay.stream;

import io.netty.buffer.ByteBuf;

/**
 * Reads the records of one block, in order. Owns the block's buffer until {@link #release}. Confined to one thread at a
 * time.
 */
public final class BlockReader {
    private final ByteBuf block;
    private final int end;
    private int at = BlockWriter.HEADER;

    private BlockReader(ByteBuf block) {
        this.block = block;
        this.end = block.writerIndex();
    }

    /**
     * Reads {@code block}, whose index must be 0. Takes ownership of it, also when it throws.
     *
     * @throws DamagedBlock if it isn't one whole block, or its checksum is wrong
     */
    public static BlockReader open(ByteBuf block) throws DamagedBlock {
        try {
            check(block);
        } catch (DamagedBlock | RuntimeException damaged) {
            block.release();
            throw damaged;
        }
        return new BlockReader(block);
    }

    private static void check(ByteBuf block) throws DamagedBlock {
        int length = block.writerIndex();
        if (length < BlockWriter.HEADER || block.getInt(0) != BlockWriter.MAGIC) {
            throw new DamagedBlock("no block begins here");
        }
        if (block.getInt(BlockWriter.LENGTH_AT) != length - BlockWriter.HEADER) {
            throw new DamagedBlock("the block's length isn't what it says");
        }
        if (block.getInt(BlockWriter.CHECKSUM_AT) != BlockWriter.checksum(block)) {
            throw new DamagedBlock("the block's checksum is wrong");
        }
        int at = BlockWriter.HEADER;
        while (at < length) {
            int left = length - at - BlockWriter.RECORD;
            if (left < 0 || StreamEvent.of(block.getByte(at)) == null) {
                throw new DamagedBlock("no record begins at byte " + at + " of the block");
            }
            int bytes = block.getInt(at + 9);
            if (bytes < 0 || bytes > left) {
                throw new DamagedBlock("the record at byte " + at + " of the block has " + bytes + " bytes");
            }
            at += BlockWriter.RECORD + bytes;
        }
    }

    /** The connection whose records these are. */
    public long connection() {
        return block.getLong(8);
    }

    /** Whether there is a record; the methods below are about it. */
    public boolean hasRecord() {
        return at < end;
    }

    /** What happened. */
    public StreamEvent event() {
        StreamEvent event = StreamEvent.of(block.getByte(at));
        if (event == null) {
            throw new IllegalStateException("no event at " + at + " in a checked block");
        }
        return event;
    }

    /** When the relay saw it, {@code System.nanoTime()} of the process that wrote the block. */
    public long nanos() {
        return block.getLong(at + 1);
    }

    /** How many bytes belong to it. */
    public int length() {
        return block.getInt(at + 9);
    }

    /** Its bytes: a view of the block that keeps it alive, owned by the caller. */
    public ByteBuf data() {
        return block.retainedSlice(at + BlockWriter.RECORD, length());
    }

    /** Goes on to the next record. */
    public void skip() {
        at += BlockWriter.RECORD + length();
    }

    /** Where the record begins, for {@link #position(int)}. */
    public int position() {
        return at;
    }

    /** Goes to the record that begins at {@code position}, which {@link #position()} told of this very block. */
    public void position(int position) {
        at = position;
    }

    /** Bytes of memory that the block takes. */
    public int capacity() {
        return block.capacity();
    }

    /** Gives the block back. */
    public void release() {
        block.release();
    }
}

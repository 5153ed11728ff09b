package dev.understudy.relay.tap;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;

/**
 * One read of a relayed connection: which bytes, where in their buffer, and when.
 *
 * <p>The receiver's socket moves the buffer's reader index meanwhile, so that is noted and not asked again. Used again
 * and again, so that a read costs no object. Confined to one thread at a time.
 */
public final class TapRead {
    private static final int SMALL_READ = 2048;

    private Direction direction = Direction.REQUEST;
    private ByteBuf data = Unpooled.EMPTY_BUFFER;
    private ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
    private int start;
    private int length;
    private long nanos;
    private boolean lasting;

    /** Holds what was just read into {@code data}, which it retains until {@link #release}. */
    public void hold(Direction direction, ByteBuf data, long nanos) {
        set(direction, data.retain(), data.readerIndex(), data.readableBytes(), nanos);
        this.lasting = true;
    }

    /**
     * Shows bytes of a buffer that is written to again soon, and that stays its owner's; copies come from
     * {@code allocator}.
     */
    public void show(Direction direction, ByteBuf data, int start, int length, long nanos, ByteBufAllocator allocator) {
        set(direction, data, start, length, nanos);
        this.allocator = allocator;
        this.lasting = false;
    }

    private void set(Direction direction, ByteBuf data, int start, int length, long nanos) {
        this.direction = direction;
        this.data = data;
        this.start = start;
        this.length = length;
        this.nanos = nanos;
    }

    /** Whose bytes they are. */
    public Direction direction() {
        return direction;
    }

    /** When they were read, {@code System.nanoTime()}. */
    public long nanos() {
        return nanos;
    }

    /** How many they are. */
    public int length() {
        return length;
    }

    /**
     * Returns a copy, owned by the caller: a retained slice, except where that would pin far more memory than it
     * carries. Reads of less than 2 KiB, or of less than an eighth of their buffer, are really copied.
     */
    public ByteBuf copy() {
        if (!lasting || length < Math.max(SMALL_READ, data.capacity() / 8)) {
            return (lasting ? data.alloc() : allocator).buffer(length, length).writeBytes(data, start, length);
        }
        return data.retainedSlice(start, length);
    }

    /** Copies as many bytes as {@code to} has room for, beginning with the one at {@code offset}. */
    public void copyTo(int offset, ByteBuffer to) {
        data.getBytes(start + offset, to);
    }

    /** Lets go of a buffer that is held. */
    public void release() {
        if (lasting) {
            data.release();
            lasting = false;
        }
        data = Unpooled.EMPTY_BUFFER;
    }
}

package dev.understudy.relay;

import dev.understudy.relay.tap.Direction;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * One read of a relay between its arrival and its flush: the buffer, retained, and where in it the bytes are.
 *
 * <p>The receiver's socket moves the buffer's reader index meanwhile, so that is noted and not asked again. Used again and again,
 * so that a read costs no object. Confined to the connection's relay loop.
 */
final class HeldRead {
    private static final int SMALL_READ = 2048;

    private Direction direction = Direction.REQUEST;
    private ByteBuf data = Unpooled.EMPTY_BUFFER;
    private int start;
    private int length;
    private long nanos;

    /** Retains {@code data}. */
    void set(Direction direction, ByteBuf data, long nanos) {
        this.direction = direction;
        this.data = data.retain();
        this.start = data.readerIndex();
        this.length = data.readableBytes();
        this.nanos = nanos;
    }

    Direction direction() {
        return direction;
    }

    /** When it was read, {@code System.nanoTime()}. */
    long nanos() {
        return nanos;
    }

    /**
     * Returns a copy, owned by the caller: a retained slice, except where that would pin far more memory than it carries. Reads of
     * less than 2 KiB, or of less than an eighth of their buffer, are really copied.
     */
    ByteBuf copy() {
        if (length < Math.max(SMALL_READ, data.capacity() / 8)) {
            return data.alloc().buffer(length, length).writeBytes(data, start, length);
        }
        return data.retainedSlice(start, length);
    }

    /** Lets go of the buffer. */
    void release() {
        data.release();
        data = Unpooled.EMPTY_BUFFER;
    }
}

package dev.understudy.relay.starttls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a packet until there is enough of it; a buffer of its own, which may be changed. Not for several
 * threads.
 */
final class PacketBuffer {
    private @Nullable ByteBuf bytes;

    /** Takes ownership of {@code more}; the result is still held. */
    ByteBuf add(ByteBufAllocator allocator, ByteBuf more) {
        ByteBuf all = bytes == null ? allocator.buffer(more.readableBytes()) : bytes;
        bytes = all.writeBytes(more);
        more.release();
        return all;
    }

    /** Gives away what was added last. */
    void give() {
        bytes = null;
    }

    void release() {
        if (bytes != null) {
            bytes.release();
            bytes = null;
        }
    }
}

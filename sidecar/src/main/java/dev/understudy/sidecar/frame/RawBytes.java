package dev.understudy.sidecar.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Deque;

/** Bytes that were fed to a framer and are still to be handed on, in order. Confined to its lane loop. */
public final class RawBytes {
    private final Deque<ByteBuf> chunks = new ArrayDeque<>();
    private int readable;

    /** Takes ownership of {@code data}. */
    public void add(ByteBuf data) {
        if (data.isReadable()) {
            readable += data.readableBytes();
            chunks.add(data);
        } else {
            data.release();
        }
    }

    /** How many there are. */
    public int readable() {
        return readable;
    }

    /** The first of them, of which there must be one. */
    public byte first() {
        ByteBuf chunk = chunks.element();
        return chunk.getByte(chunk.readerIndex());
    }

    /** The next {@code length} bytes, owned by the caller. */
    public ByteBuf take(int length) {
        if (length > readable) {
            throw new IllegalStateException("take " + length + " of " + readable + " bytes");
        }
        readable -= length;
        ByteBuf first = chunks.peek();
        if (first == null || length == 0) {
            return Unpooled.EMPTY_BUFFER;
        }
        if (first.readableBytes() >= length) {
            return split(length);
        }
        CompositeByteBuf whole = first.alloc().compositeBuffer(Math.max(2, chunks.size()));
        int left = length;
        for (ByteBuf next = chunks.peek(); left > 0 && next != null; next = chunks.peek()) {
            int part = Math.min(left, next.readableBytes());
            whole.addComponent(true, split(part));
            left -= part;
        }
        return whole;
    }

    /** Copies what is left into one small buffer, so that half a head pins no large ones. */
    public void compact() {
        if (readable > 0) {
            int length = readable;
            ByteBuf rest = take(length);
            ByteBuf copy = Unpooled.buffer(length, length).writeBytes(rest);
            rest.release();
            add(copy);
        }
    }

    /** Gives all of them back. */
    public void release() {
        chunks.forEach(ByteBuf::release);
        chunks.clear();
        readable = 0;
    }

    private ByteBuf split(int length) {
        ByteBuf first = chunks.element();
        if (first.readableBytes() == length) {
            return chunks.remove();
        }
        return first.readRetainedSlice(length);
    }
}

package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One stream's request that is kept back until its body is whole, since that may have to be changed: its head, and its
 * body both as it came and without its frames. Confined to its lane loop.
 */
final class Http2Held {
    /**
     * Longer bodies go as they come: debug may want to be told more room for them before it gets more (RFC 9113,
     * section 5.2).
     */
    static final int MOST = 16 << 10;

    private static final int CHARGE = 3 * MOST;
    private static final int MEAN = 256;

    final int stream;
    final Http2Headers fields;
    final RequestHead told;

    /** Whether that isn't what the client said. */
    final boolean changed;

    final MediaType type;
    private final MemoryBudget memory;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final ByteBuf frames = Unpooled.buffer(MEAN);
    private @Nullable ByteBuf head;

    private Http2Held(
            int stream,
            ByteBuf head,
            Http2Headers fields,
            RequestHead told,
            boolean changed,
            MediaType type,
            MemoryBudget memory) {
        this.stream = stream;
        this.head = head;
        this.fields = fields;
        this.told = told;
        this.changed = changed;
        this.type = type;
        this.memory = memory;
    }

    /**
     * Keeps that request back, with its head, which it owns from now on; null if that isn't worth it or there is no
     * room.
     */
    static @Nullable Http2Held of(
            int stream, ByteBuf head, Http2Headers fields, RequestHead told, boolean changed, MemoryBudget memory) {
        MediaType type = MediaType.of(told.first("content-type"));
        String length = told.first("content-length");
        boolean mayChange = type != null
                && IdentityMap.reads(type)
                && told.first("content-encoding") == null
                && (length == null || (length.matches("[0-9]{1,9}") && Integer.parseInt(length) <= MOST));
        return type != null && mayChange && memory.tryReserve(CHARGE)
                ? new Http2Held(stream, head, fields, told, changed, type, memory)
                : null;
    }

    /** Takes ownership of {@code raw}, frames of the body that carry {@code content}; whether more may be kept. */
    boolean add(ByteBuf raw, ByteBuffer content) {
        byte[] piece = new byte[content.remaining()];
        content.get(piece);
        body.writeBytes(piece);
        frames.writeBytes(raw);
        raw.release();
        return frames.readableBytes() <= MOST + MOST / 2 && body.size() <= MOST;
    }

    byte[] body() {
        return body.toByteArray();
    }

    /** The head as it came, owned by the caller; null if it has gone on. */
    @Nullable
    ByteBuf takeHead() {
        ByteBuf taken = head;
        head = null;
        return taken;
    }

    /** The body as it came, owned by the caller. */
    ByteBuf takeFrames() {
        return frames.readRetainedSlice(frames.readableBytes());
    }

    /** Gives back what is left. */
    void release() {
        if (head != null) {
            head.release();
            head = null;
        }
        frames.release();
        memory.release(CHARGE);
    }
}

package dev.understudy.sidecar.frame;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.sidecar.frame.RequestStream.Cut;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The client's bytes until it is known which request they belong to, and the request that they go to if one is on its
 * way. Confined to its lane loop.
 *
 * @param <X> what stands for a request and what comes of it
 */
public final class ClientBytes<X> {
    private final Cut<X> cut;
    private final RawBytes bytes = new RawBytes();
    private @Nullable X current;
    private boolean open;
    private boolean unframed;
    private long nanos;
    private long firstNanos;

    public ClientBytes(Cut<X> cut) {
        this.cut = cut;
    }

    /** More has arrived; takes ownership. What a framer is to see of it. */
    public ByteBuffer add(ByteBuf data, long at) {
        if (bytes.readable() == 0) {
            firstNanos = at;
        }
        nanos = at;
        ByteBuffer fed = data.nioBuffer();
        bytes.add(data);
        return fed;
    }

    /** Nothing more arrives; until when that was known. */
    public void end(long at) {
        nanos = at;
    }

    /** How many are here. */
    public int readable() {
        return bytes.readable();
    }

    /** The first that is here, of which there must be one. */
    public byte first() {
        return bytes.first();
    }

    /** Whether a request has begun that hasn't ended. */
    public boolean isOpen() {
        return open;
    }

    /** Whether no request is found in what comes any more. */
    public boolean isUnframed() {
        return unframed;
    }

    /** A request begins, with so many of the bytes. */
    public void beginRequest(Request request, int length) {
        open = true;
        current = cut.request(request, bytes.take(length), firstNanos, nanos);
    }

    /**
     * So many more of the bytes are the open request's; without one, or if nothing of it is kept, they are nobody's.
     */
    public void goOn(int length) {
        if (length > 0) {
            ByteBuf part = bytes.take(length);
            if (current != null) {
                cut.body(current, part, nanos);
            } else {
                cut.raw(part, nanos);
            }
        }
    }

    /** The open request is whole. */
    public void endRequest() {
        if (current != null) {
            cut.requestEnd(current, nanos);
        }
        current = null;
        open = false;
        firstNanos = nanos;
    }

    /** The client has ended within the open request; false if there is none, or if it can't be left at that. */
    public boolean cutOff() {
        boolean left = current != null && !unframed && cut.cutOff(current, nanos);
        if (left) {
            current = null;
            open = false;
        }
        return left;
    }

    /**
     * No request is found in what comes any more; told on once. What is here stays until it is said to {@link #goOn}.
     */
    public void unframed(NotCompared why, String reason) {
        if (!unframed) {
            unframed = true;
            X unfinished = current;
            current = null;
            open = false;
            cut.unframed(unfinished, why, reason, nanos);
        }
    }

    /** Copies what is left into one small buffer, so that half a request pins no large ones. */
    public void compact() {
        bytes.compact();
    }

    /** Gives all of them back. */
    public void release() {
        bytes.release();
    }
}

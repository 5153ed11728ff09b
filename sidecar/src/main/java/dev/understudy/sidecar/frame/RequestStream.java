package dev.understudy.sidecar.frame;

import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.RequestHead;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the client's bytes into requests and hands every one of them on, each in the exchange it belongs to.
 *
 * <p>A head goes on when it is whole, since it may be rewritten; bodies go on as they come. Confined to its lane loop.
 *
 * @param <X> what stands for a request and what comes of it
 */
public final class RequestStream<X> implements HttpSink<RequestHead> {
    /** Receives the cut stream; the bytes of all calls together are the client's, in order. */
    public interface Cut<X> {
        /** A request begins; takes ownership of its bytes. Null if nothing of it can be kept. */
        @Nullable
        X request(RequestHead head, ByteBuf bytes, long arrivedNanos, long nanos);

        /** More of its bytes, owned by the receiver. */
        void body(X exchange, ByteBuf bytes, long nanos);

        /** The request is whole. */
        void requestEnd(X exchange, long nanos);

        /** The stream can't be cut any further; called once, {@code unfinished} is the request it happened in. */
        void unframed(@Nullable X unfinished, String reason, long nanos);

        /** The stream begins with a TLS handshake; called in {@link #unframed}'s stead. */
        void encrypted(long nanos);

        /** Bytes that belong to no request, owned by the receiver. */
        void raw(ByteBuf bytes, long nanos);
    }

    /** The type of a TLS record that holds a handshake message (RFC 8446, section 5.1); no HTTP request begins so. */
    private static final byte HANDSHAKE = 0x16;

    private final HttpRequestFramer framer = new HttpRequestFramer(this);
    private final RawBytes bytes = new RawBytes();
    private final Cut<X> cut;
    private @Nullable X current;
    private boolean begun;
    private boolean encrypted;
    private boolean unframed;
    private int body;
    private long nanos;
    private long firstNanos;

    public RequestStream(Cut<X> cut) {
        this.cut = cut;
    }

    /** Takes ownership of {@code data}. */
    public void data(ByteBuf data, long at) {
        if (bytes.readable() == 0) {
            firstNanos = at;
        }
        nanos = at;
        ByteBuffer fed = data.nioBuffer();
        boolean first = !begun && fed.hasRemaining();
        begun |= first;
        bytes.add(data);
        if (first && fed.get(fed.position()) == HANDSHAKE) {
            encrypted = true;
            framer.leave("TLS");
        }
        framer.feed(fed);
        flush();
        bytes.compact();
    }

    /** The client has ended its direction. */
    public void end(long at) {
        nanos = at;
        framer.end();
        flush();
    }

    /** What follows isn't HTTP any more. */
    public void leave(String reason) {
        framer.leave(reason);
    }

    /** Gives back what is held. */
    public void release() {
        bytes.release();
    }

    /** Bytes held here because their request isn't whole enough to go on. */
    public int held() {
        return bytes.readable();
    }

    @Override
    public void head(RequestHead head, int rawLength) {
        flush();
        current = cut.request(head, bytes.take(rawLength), firstNanos, nanos);
        firstNanos = nanos;
    }

    @Override
    public void body(ByteBuffer content, int rawLength) {
        body += rawLength;
    }

    @Override
    public void end() {
        flush();
        if (current != null) {
            cut.requestEnd(current, nanos);
            current = null;
        }
    }

    @Override
    public void unframed(String reason, int rawLength) {
        flush();
        if (!unframed) {
            unframed = true;
            if (encrypted) {
                cut.encrypted(nanos);
            } else {
                cut.unframed(current, reason, nanos);
            }
            current = null;
        }
        if (rawLength > 0) {
            cut.raw(bytes.take(rawLength), nanos);
        }
    }

    private void flush() {
        if (body > 0) {
            int length = body;
            body = 0;
            ByteBuf part = bytes.take(length);
            if (current != null) {
                cut.body(current, part, nanos);
            } else {
                cut.raw(part, nanos);
            }
        }
    }
}

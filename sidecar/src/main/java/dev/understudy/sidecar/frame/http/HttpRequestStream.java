package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.sidecar.frame.RawBytes;
import dev.understudy.sidecar.frame.RequestStream;
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
final class HttpRequestStream<X> implements RequestStream, HttpSink<RequestHead> {
    private final HttpRequestFramer framer = new HttpRequestFramer(this);
    private final RawBytes bytes = new RawBytes();
    private final Cut<X> cut;
    private @Nullable X current;
    private boolean unframed;
    private int body;
    private long nanos;
    private long firstNanos;

    HttpRequestStream(Cut<X> cut) {
        this.cut = cut;
    }

    @Override
    public void data(ByteBuf data, long at) {
        if (bytes.readable() == 0) {
            firstNanos = at;
        }
        nanos = at;
        ByteBuffer fed = data.nioBuffer();
        bytes.add(data);
        framer.feed(fed);
        flush();
        bytes.compact();
    }

    @Override
    public void end(long at) {
        nanos = at;
        framer.end();
        flush();
    }

    @Override
    public void leave(String reason) {
        framer.leave(reason);
    }

    @Override
    public void release() {
        bytes.release();
    }

    /** Bytes held here because their request isn't whole enough to go on. */
    int held() {
        return bytes.readable();
    }

    @Override
    public void head(RequestHead head, int rawLength) {
        flush();
        current = cut.request(new HttpRequest(head, rawLength, 0), bytes.take(rawLength), firstNanos, nanos);
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
            cut.unframed(current, NotCompared.UNFRAMED, reason, nanos);
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

package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.sidecar.frame.ClientBytes;
import dev.understudy.sidecar.frame.RequestStream;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * Cuts the client's bytes into requests and hands every one of them on, each in the exchange it belongs to.
 *
 * <p>A head goes on when it is whole, since it may be rewritten; bodies go on as they come. Confined to its lane loop.
 *
 * @param <X> what stands for a request and what comes of it
 */
final class HttpRequestStream<X> implements RequestStream, HttpSink<RequestHead> {
    private final HttpRequestFramer framer = new HttpRequestFramer(this);
    private final ClientBytes<X> bytes;
    private int body;
    private boolean ended;

    HttpRequestStream(Cut<X> cut) {
        this.bytes = new ClientBytes<>(cut);
    }

    @Override
    public void data(ByteBuf data, long at) {
        framer.feed(bytes.add(data, at));
        flush();
        bytes.compact();
    }

    @Override
    public void end(long at) {
        bytes.end(at);
        ended = true;
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
        bytes.beginRequest(new HttpRequest(head, rawLength, 0), rawLength);
    }

    @Override
    public void body(ByteBuffer content, int rawLength) {
        body += rawLength;
    }

    @Override
    public void end() {
        flush();
        bytes.endRequest();
    }

    @Override
    public void unframed(String reason, int rawLength) {
        flush();
        if (ended) {
            bytes.goOn(rawLength);
            if (bytes.cutOff()) {
                return;
            }
        }
        bytes.unframed(NotCompared.UNFRAMED, reason);
        bytes.goOn(ended ? 0 : rawLength);
    }

    private void flush() {
        bytes.goOn(body);
        body = 0;
    }
}

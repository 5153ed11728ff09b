package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.wire.http.Http2Preface;
import dev.understudy.sidecar.frame.RawBytes;
import dev.understudy.sidecar.frame.RequestStream;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what the client sends as the version of HTTP that it begins with: HTTP/2 if that is its preface, else HTTP/1.1.
 * Confined to its lane loop.
 *
 * @param <X> what stands for a request and what comes of it
 */
final class VersionRequestStream<X> implements RequestStream {
    private final Cut<X> cut;
    private final Http2Preface preface = new Http2Preface();
    private final RawBytes begun = new RawBytes();
    private @Nullable RequestStream known;

    VersionRequestStream(Cut<X> cut) {
        this.cut = cut;
    }

    @Override
    public void data(ByteBuf data, long nanos) {
        if (known != null) {
            known.data(data, nanos);
            return;
        }
        preface.look(data.nioBuffer());
        begun.add(data);
        if (preface.decided()) {
            decide(nanos);
        }
    }

    private RequestStream decide(long nanos) {
        RequestStream stream = known;
        if (stream == null) {
            stream = preface.complete() ? new Http2RequestStream<>(cut) : new HttpRequestStream<>(cut);
            known = stream;
            if (begun.readable() > 0) {
                stream.data(begun.take(begun.readable()), nanos);
            }
        }
        return stream;
    }

    @Override
    public void end(long nanos) {
        decide(nanos).end(nanos);
    }

    @Override
    public void leave(String reason) {
        decide(0).leave(reason);
    }

    @Override
    public void release() {
        begun.release();
        if (known != null) {
            known.release();
        }
    }
}

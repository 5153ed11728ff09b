package dev.understudy.sidecar.record;

import dev.understudy.divergence.wire.http.Http2Heads;
import dev.understudy.divergence.wire.http.Http2Preface;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.http2.Http2Reader;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The HTTP requests of one connection's bytes, by version 1.1 or 2, as far as there are any. */
public final class RequestLines implements HttpSink<RequestHead>, Http2Reader.Sink {
    private final Http2Preface preface = new Http2Preface();
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream(0);
    private final HttpRequestFramer framer = new HttpRequestFramer(this);
    private final Http2Reader reader = new Http2Reader(this);
    private final List<Line> lines = new ArrayList<>();
    private int lastOpened;
    private long nanos;

    /** One request: when its head was whole, and what it asked for. */
    public record Line(long nanos, String method, String target) {}

    void feed(ByteBuffer bytes, long at) {
        nanos = at;
        if (!preface.decided()) {
            byte[] first = new byte[bytes.remaining()];
            bytes.duplicate().get(first);
            preface.look(bytes);
            if (!preface.complete()) {
                begun.writeBytes(first);
                bytes.position(bytes.limit());
            }
        }
        if (preface.complete()) {
            reader.feed(bytes);
        } else if (preface.decided()) {
            framer.feed(ByteBuffer.wrap(begun.toByteArray()));
            begun.reset();
            framer.feed(bytes);
        }
    }

    boolean isHttp2() {
        return preface.complete();
    }

    List<Line> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void head(RequestHead head, int rawLength) {
        lines.add(new Line(nanos, head.method(), head.target()));
    }

    @Override
    public void body(ByteBuffer content, int rawLength) {}

    @Override
    public void end() {}

    @Override
    public void unframed(String reason, int rawLength) {}

    @Override
    public void headers(int stream, @Nullable Http2Headers headers, boolean last) {
        RequestHead head = headers == null || stream <= lastOpened ? null : Http2Heads.request(headers);
        lastOpened = Math.max(lastOpened, stream);
        if (head != null) {
            head(head, 0);
        }
    }

    @Override
    public void data(int stream, ByteBuffer content, boolean last) {}

    @Override
    public void reset(int stream, long code) {}

    @Override
    public void promised() {}

    @Override
    public void malformed(String why) {}
}

package dev.understudy.sidecar.record;

import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The HTTP requests of one connection's bytes, as far as there are any. */
public final class RequestLines implements HttpSink<RequestHead> {
    private final HttpRequestFramer framer = new HttpRequestFramer(this);
    private final List<Line> lines = new ArrayList<>();
    private long nanos;

    /** One request: when its head was whole, and what it asked for. */
    public record Line(long nanos, String method, String target) {}

    void feed(ByteBuffer bytes, long at) {
        nanos = at;
        framer.feed(bytes);
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
}

package dev.understudy.sidecar.frame.http;

import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.Request;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cuts one side's bytes as the version of HTTP that it was asked in, or begins with: a server of HTTP/2 may speak
 * first, and then says SETTINGS, whose length begins with a zero (RFC 9113, section 3.4). Confined to its lane loop.
 *
 * @param <X> what stands for a request and what comes of it
 */
final class VersionReplyStream<X> implements ReplyStream<X> {
    private final Function<X, HttpReplyCopy> side;
    private final End<X> end;
    private @Nullable ReplyStream<X> known;

    VersionReplyStream(Function<X, HttpReplyCopy> side, End<X> end) {
        this.side = side;
        this.end = end;
    }

    @Override
    public void expect(X exchange, Request request) {
        known(request.stream() != 0).expect(exchange, request);
    }

    @Override
    public void forget(Request request) {
        if (known != null) {
            known.forget(request);
        }
    }

    @Override
    public void data(ByteBuf data, long nanos) {
        if (data.isReadable()) {
            known(data.getByte(data.readerIndex()) == 0).data(data, nanos);
        } else {
            data.release();
        }
    }

    @Override
    public void end(long nanos) {
        known(false).end(nanos);
    }

    @Override
    public Iterable<X> expected() {
        return known == null ? List.of() : known.expected();
    }

    @Override
    public boolean isUnframed() {
        return known != null && known.isUnframed();
    }

    private ReplyStream<X> known(boolean http2) {
        ReplyStream<X> stream = known;
        if (stream == null) {
            stream = http2 ? new Http2ReplyStream<>(side, end) : new HttpReplyStream<>(side, end);
            known = stream;
        }
        return stream;
    }
}

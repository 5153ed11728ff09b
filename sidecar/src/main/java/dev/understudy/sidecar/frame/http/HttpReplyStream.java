package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.HttpReplyFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.Request;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cuts one side's bytes into replies and gives each to the exchange whose turn it is. Confined to its lane loop.
 *
 * @param <X> what stands for a request and what comes of it
 */
final class HttpReplyStream<X> implements ReplyStream<X>, HttpSink<ReplyHead> {
    private final HttpReplyFramer framer = new HttpReplyFramer(this);
    private final Deque<X> expected = new ArrayDeque<>();
    private final Function<X, HttpReplyCopy> side;
    private final End<X> end;
    private @Nullable HttpReplyCopy current;
    private boolean unframed;
    private long nanos;

    HttpReplyStream(Function<X, HttpReplyCopy> side, End<X> end) {
        this.side = side;
        this.end = end;
    }

    @Override
    public void expect(X exchange, Request request) {
        expected.add(exchange);
        framer.expect(request.method());
    }

    @Override
    public void data(ByteBuf data, long at) {
        try {
            nanos = at;
            X next = expected.peek();
            if (next != null) {
                end.heard(next, at);
            }
            framer.feed(data.nioBuffer());
        } finally {
            data.release();
        }
    }

    @Override
    public void end(long at) {
        nanos = at;
        framer.end();
    }

    @Override
    public Iterable<X> expected() {
        return expected;
    }

    @Override
    public boolean isUnframed() {
        return unframed;
    }

    @Override
    public void head(ReplyHead head, int rawLength) {
        X next = expected.peek();
        current = next == null ? null : side.apply(next);
        if (current != null) {
            current.head(head, rawLength, nanos);
        }
    }

    @Override
    public void interim(ReplyHead head, int rawLength) {
        X next = expected.peek();
        if (next != null) {
            side.apply(next).interim(head, rawLength);
        }
    }

    @Override
    public void body(ByteBuffer content, int rawLength) {
        if (current != null) {
            current.body(content, rawLength);
        }
    }

    @Override
    public void trailers(List<Header> trailers) {
        if (current != null) {
            current.trailers(trailers);
        }
    }

    @Override
    public void end() {
        X ended = expected.poll();
        if (ended != null && current != null) {
            current.end(nanos);
            current = null;
            end.ended(ended);
        }
    }

    @Override
    public void unframed(String reason, int rawLength) {
        if (!unframed) {
            unframed = true;
            end.unframed(reason);
        }
    }
}

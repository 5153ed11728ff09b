package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.HttpReplyFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.sidecar.frame.OrderedReplies;
import dev.understudy.sidecar.frame.Request;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cuts one side's bytes into replies and gives each to the exchange whose turn it is. Confined to its lane loop.
 *
 * @param <X> what stands for a request and what comes of it
 */
final class HttpReplyStream<X> extends OrderedReplies<X> implements HttpSink<ReplyHead> {
    private final HttpReplyFramer framer = new HttpReplyFramer(this);
    private final Function<X, HttpReplyCopy> side;
    private @Nullable HttpReplyCopy current;

    HttpReplyStream(Function<X, HttpReplyCopy> side, End<X> end) {
        super(end);
        this.side = side;
    }

    @Override
    public void expect(X exchange, Request request) {
        super.expect(exchange, request);
        framer.expect(request.method());
    }

    @Override
    protected void feed(ByteBuffer bytes) {
        framer.feed(bytes);
    }

    @Override
    public void end(long at) {
        super.end(at);
        framer.end();
    }

    @Override
    public void head(ReplyHead head, int rawLength) {
        X next = next();
        current = next == null ? null : side.apply(next);
        if (current != null) {
            current.head(head, rawLength, nanos());
        }
    }

    @Override
    public void interim(ReplyHead head, int rawLength) {
        X next = next();
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
        if (current == null) {
            drop();
        } else {
            current.end(nanos());
            current = null;
            ended();
        }
    }

    @Override
    public void unframed(String reason, int rawLength) {
        giveUp(reason);
    }
}

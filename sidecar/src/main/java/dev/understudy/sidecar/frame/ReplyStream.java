package dev.understudy.sidecar.frame;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.HttpReplyFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
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
public final class ReplyStream<X> implements HttpSink<ReplyHead> {
    /** Is told how the replies end. */
    public interface End<X> {
        /** Bytes of its reply came. */
        default void heard(X exchange, long nanos) {}

        /** Its reply is complete. */
        void ended(X exchange);

        /** No reply after this can be told from the next; called once. */
        void unframed(String reason);
    }

    private final HttpReplyFramer framer = new HttpReplyFramer(this);
    private final Deque<X> expected = new ArrayDeque<>();
    private final Function<X, ReplyCopy> side;
    private final End<X> end;
    private @Nullable ReplyCopy current;
    private boolean unframed;
    private long nanos;

    public ReplyStream(Function<X, ReplyCopy> side, End<X> end) {
        this.side = side;
        this.end = end;
    }

    /** The next reply that isn't expected yet answers {@code exchange}, a request with {@code method}. */
    public void expect(X exchange, String method) {
        expected.add(exchange);
        framer.expect(method);
    }

    /** Takes ownership of {@code data}. */
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

    /** The sender has ended its direction, which ends a reply without a length. */
    public void end(long at) {
        nanos = at;
        framer.end();
    }

    /** The exchanges whose replies are still to come, oldest first. */
    public Iterable<X> expected() {
        return expected;
    }

    /** Whether no further reply can be told. */
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

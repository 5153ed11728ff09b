package dev.understudy.sidecar.frame;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Replies that come in the order of their requests, each of which goes to the exchange whose turn it is.
 *
 * @param <X> what stands for a request and what comes of it
 */
public abstract class OrderedReplies<X> implements ReplyStream<X> {
    private final Deque<X> expected = new ArrayDeque<>();
    private final End<X> end;
    private boolean unframed;
    private long nanos;

    protected OrderedReplies(End<X> end) {
        this.end = end;
    }

    /** Takes all remaining bytes. */
    protected abstract void feed(ByteBuffer bytes);

    /** The exchange whose turn it is; null if nobody waits. */
    protected final @Nullable X next() {
        return expected.peek();
    }

    /** When what is being read came. */
    protected final long nanos() {
        return nanos;
    }

    /** The next reply is complete; its exchange must be there. */
    protected final void ended() {
        end.ended(expected.remove());
    }

    /** Nobody gets the next reply. */
    protected final void drop() {
        expected.poll();
    }

    /** No reply after this can be told from the next. */
    protected final void giveUp(String reason) {
        if (!unframed) {
            unframed = true;
            end.unframed(reason);
        }
    }

    @Override
    public void expect(X exchange, Request request) {
        expected.add(exchange);
    }

    @Override
    public final void data(ByteBuf data, long at) {
        try {
            nanos = at;
            X next = expected.peek();
            if (next != null) {
                end.heard(next, at);
            }
            feed(data.nioBuffer());
        } finally {
            data.release();
        }
    }

    @Override
    public void end(long at) {
        nanos = at;
    }

    @Override
    public final Iterable<X> expected() {
        return expected;
    }

    @Override
    public final boolean isUnframed() {
        return unframed;
    }
}

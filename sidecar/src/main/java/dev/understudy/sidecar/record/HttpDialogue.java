package dev.understudy.sidecar.record;

import dev.understudy.divergence.wire.http.HttpReplyFramer;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Pairs the requests of one HTTP/1.x connection with its replies, which come in their order. Confined to one thread.
 *
 * <p>Once it gave up it takes no more requests, and no replies but those to the requests that it has: each of them is
 * still paired with its own.
 *
 * @param <E> what is kept of an exchange, from its request's head to its reply's end
 */
public abstract class HttpDialogue<E> implements RecordedDialogue {
    private final int mostPipelined;
    private final Deque<E> expected = new ArrayDeque<>();
    private final HttpRequestFramer requests = new HttpRequestFramer(new Requests());
    private final HttpReplyFramer replies = new HttpReplyFramer(new Replies());
    private boolean gaveUp;
    private long now;

    /** @param mostPipelined requests that may wait for their replies */
    protected HttpDialogue(int mostPipelined) {
        this.mostPipelined = mostPipelined;
    }

    /** A request's head is whole; {@code rawLength} is that of the wire, here and below. */
    protected abstract E begin(RequestHead head, int rawLength);

    /** Bytes of the request's body, valid during the call. */
    protected void requestBody(E exchange, ByteBuffer content, int rawLength) {}

    /** The request is whole. */
    protected void requestEnd(E exchange) {}

    /** The head of the reply, which is no interim one. */
    protected abstract void replyHead(E exchange, ReplyHead head, int rawLength);

    /** Bytes of the reply's body, valid during the call. */
    protected void replyBody(E exchange, ByteBuffer content, int rawLength) {}

    /** The reply is whole. */
    protected abstract void end(E exchange);

    /** When what is being read was recorded. */
    protected final long now() {
        return now;
    }

    /** Requests without a whole reply, in their order. */
    public final Collection<E> unanswered() {
        return Collections.unmodifiableCollection(expected);
    }

    /** Whether something wasn't HTTP, or couldn't be framed, or there were too many requests at a time. */
    public final boolean gaveUp() {
        return gaveUp;
    }

    @Override
    public void request(ByteBuffer bytes, long nanos) {
        now = nanos;
        if (!gaveUp) {
            requests.feed(bytes);
        }
    }

    @Override
    public final void reply(ByteBuffer bytes, long nanos) {
        now = nanos;
        if (isPairing()) {
            replies.feed(bytes);
        }
    }

    @Override
    public final void replyEnd(long nanos) {
        now = nanos;
        if (isPairing()) {
            replies.end();
        }
    }

    private boolean isPairing() {
        return !gaveUp || !expected.isEmpty();
    }

    private final class Requests implements HttpSink<RequestHead> {
        private @Nullable E asking;

        @Override
        public void head(RequestHead head, int rawLength) {
            gaveUp |= expected.size() >= mostPipelined;
            if (gaveUp) {
                return;
            }
            asking = begin(head, rawLength);
            expected.add(asking);
            replies.expect(head.method());
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            if (asking != null) {
                requestBody(asking, content, rawLength);
            }
        }

        @Override
        public void end() {
            if (asking != null) {
                requestEnd(asking);
                asking = null;
            }
        }

        @Override
        public void unframed(String reason, int rawLength) {
            gaveUp = true;
        }
    }

    private final class Replies implements HttpSink<ReplyHead> {
        @Override
        public void head(ReplyHead head, int rawLength) {
            E exchange = expected.peek();
            if (exchange != null) {
                replyHead(exchange, head, rawLength);
            }
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            E exchange = expected.peek();
            if (exchange != null) {
                replyBody(exchange, content, rawLength);
            }
        }

        @Override
        public void end() {
            E exchange = expected.poll();
            if (exchange != null) {
                HttpDialogue.this.end(exchange);
            }
        }

        @Override
        public void unframed(String reason, int rawLength) {
            gaveUp = true;
        }
    }
}

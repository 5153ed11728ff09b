package dev.understudy.observatory.event;

import dev.understudy.divergence.content.Folding;
import dev.understudy.divergence.wire.http.HttpReplyFramer;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The exchanges of one HTTP/1 connection, whose replies come in the order of their requests. */
final class HttpExchanges {
    /** Requests that may wait for their replies on one connection. */
    static final int MOST_PIPELINED = 10_000;

    private final ConnectionExchanges connection;
    private final Deque<Pending> expected = new ArrayDeque<>();
    private final Deque<Pending> complete = new ArrayDeque<>();
    private final HttpRequestFramer requests = new HttpRequestFramer(new Requests());
    private final HttpReplyFramer replies = new HttpReplyFramer(new Replies());
    private boolean begun;
    private boolean gaveUp;
    /** Bytes of a request's head that isn't whole. */
    private long outstanding;

    private boolean inRequest;
    private long begunAt;

    private static final class Pending {
        final String method;
        final String target;
        final long start;
        long end;
        long requestBytes;
        long replyBytes;
        int status;

        Pending(RequestHead head, long start, long bytes) {
            method = head.method();
            target = head.target();
            this.start = start;
            requestBytes = bytes;
        }
    }

    HttpExchanges(ConnectionExchanges connection) {
        this.connection = connection;
    }

    /** Whether a request's head was read. */
    boolean begun() {
        return begun;
    }

    /** Whether what follows isn't HTTP, or can't be framed. */
    boolean gaveUp() {
        return gaveUp;
    }

    int unanswered() {
        return expected.size();
    }

    void request(ByteBuffer bytes) {
        if (outstanding == 0 && !inRequest) {
            begunAt = connection.now();
        }
        outstanding += bytes.remaining();
        requests.feed(bytes);
    }

    void reply(ByteBuffer bytes) {
        replies.feed(bytes);
    }

    void replyEnd() {
        replies.end();
    }

    /** Passes on what became whole. */
    void pass() throws IOException {
        for (Pending whole = complete.poll(); whole != null; whole = complete.poll()) {
            connection.pass(
                    Folding.route(whole.method + " " + whole.target),
                    whole.start,
                    whole.end,
                    whole.requestBytes,
                    whole.replyBytes,
                    whole.status,
                    true);
        }
    }

    private final class Requests implements HttpSink<RequestHead> {
        private @Nullable Pending asking;

        @Override
        public void head(RequestHead head, int rawLength) {
            begun = true;
            inRequest = true;
            outstanding -= rawLength;
            if (expected.size() >= MOST_PIPELINED) {
                gaveUp = true;
                return;
            }
            asking = new Pending(head, begunAt, rawLength);
            expected.add(asking);
            replies.expect(head.method());
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            outstanding -= rawLength;
            if (asking != null) {
                asking.requestBytes += rawLength;
            }
        }

        @Override
        public void end() {
            inRequest = false;
            begunAt = connection.now();
        }

        @Override
        public void unframed(String reason, int rawLength) {
            gaveUp = true;
        }
    }

    private final class Replies implements HttpSink<ReplyHead> {
        @Override
        public void head(ReplyHead head, int rawLength) {
            Pending pending = expected.peek();
            if (pending != null) {
                pending.status = head.status();
                pending.replyBytes += rawLength;
            }
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            Pending pending = expected.peek();
            if (pending != null) {
                pending.replyBytes += rawLength;
            }
        }

        @Override
        public void end() {
            Pending pending = expected.poll();
            if (pending != null) {
                pending.end = connection.now();
                complete.add(pending);
            }
        }

        @Override
        public void unframed(String reason, int rawLength) {
            gaveUp = true;
        }
    }
}

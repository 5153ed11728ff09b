package dev.understudy.sidecar.record;

import dev.understudy.divergence.wire.http.HttpReplyFramer;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The exchanges of one HTTP/1.x connection, whose replies come in the order of their requests. */
final class Http1Archive implements Har.Dialogue {
    private final long connection;
    private final List<ArchivedExchange> archive;
    private final Deque<ArchivedExchange> expected = new ArrayDeque<>();
    private final HttpRequestFramer requests = new HttpRequestFramer(new Requests());
    private final HttpReplyFramer replies = new HttpReplyFramer(new Replies());
    private @Nullable ArchivedExchange asking;
    private long now;

    Http1Archive(long connection, List<ArchivedExchange> archive) {
        this.connection = connection;
        this.archive = archive;
    }

    @Override
    public void request(ByteBuffer bytes, long nanos) {
        now = nanos;
        requests.feed(bytes);
    }

    @Override
    public void reply(ByteBuffer bytes, long nanos) {
        now = nanos;
        replies.feed(bytes);
    }

    @Override
    public void replyEnd(long nanos) {
        now = nanos;
        replies.end();
    }

    private final class Requests implements HttpSink<RequestHead> {
        @Override
        public void head(RequestHead head, int rawLength) {
            ArchivedExchange exchange = new ArchivedExchange(connection, head, now);
            exchange.requestHeadBytes = rawLength;
            asking = exchange;
            archive.add(exchange);
            expected.add(exchange);
            replies.expect(head.method());
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            if (asking != null) {
                asking.requestBodyBytes += rawLength;
            }
        }

        @Override
        public void end() {
            asking = null;
        }

        @Override
        public void unframed(String reason, int rawLength) {}
    }

    private final class Replies implements HttpSink<ReplyHead> {
        @Override
        public void head(ReplyHead head, int rawLength) {
            ArchivedExchange exchange = expected.peek();
            if (exchange != null) {
                exchange.reply = head;
                exchange.replyHeadBytes = rawLength;
                exchange.endedNanos = now;
            }
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            ArchivedExchange exchange = expected.peek();
            if (exchange != null) {
                exchange.replyBodyBytes += rawLength;
            }
        }

        @Override
        public void end() {
            ArchivedExchange exchange = expected.poll();
            if (exchange != null) {
                exchange.endedNanos = now;
            }
        }

        @Override
        public void unframed(String reason, int rawLength) {}
    }
}

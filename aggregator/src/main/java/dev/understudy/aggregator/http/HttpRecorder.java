package dev.understudy.aggregator.http;

import dev.understudy.aggregator.record.ConnectionRecorder;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.HttpReplyFramer;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pairs production's HTTP requests with their replies, in order, and records them once both are complete.
 *
 * <p>Requests to upgrade are requests like others; a connection whose server agrees (101) is given up.
 */
public final class HttpRecorder implements ConnectionRecorder {
    /** Requests sent and not answered; more is no client's pipeline. */
    private static final int MAX_PENDING = 1_000;

    private final Recording<HttpAnswer> recording;
    private final HttpRequestFramer requests = new HttpRequestFramer(new Requests());
    private final HttpReplyFramer replies = new HttpReplyFramer(new Replies());
    private final ArrayDeque<HttpExchange> pending = new ArrayDeque<>();
    private @Nullable HttpExchange asking;
    private @Nullable HttpExchange answering;
    private long now;
    private long heldBytes;
    private boolean ending;
    private boolean over;

    public HttpRecorder(Recording<HttpAnswer> recording) {
        this.recording = recording;
    }

    @Override
    public void request(ByteBuffer data, long nanos) {
        now = nanos;
        if (!over) {
            requests.feed(data);
        }
    }

    @Override
    public void reply(ByteBuffer data, long nanos) {
        now = nanos;
        if (!over) {
            replies.feed(data);
        }
    }

    @Override
    public void requestEnd(long nanos) {
        ending = true;
        requests.end();
    }

    @Override
    public void replyEnd(long nanos) {
        now = nanos;
        ending = true;
        replies.end();
    }

    @Override
    public long heldBytes() {
        return heldBytes;
    }

    @Override
    public void closed(long nanos) {
        over = true;
        heldBytes = 0;
        if (!pending.isEmpty()) {
            recording.dropped(Unrecorded.INCOMPLETE, pending.size());
            pending.clear();
        }
    }

    private void finish(HttpExchange exchange) {
        if (!exchange.complete()) {
            return;
        }
        pending.remove(exchange);
        heldBytes -= exchange.heldBytes();
        if (exchange.tooLarge()) {
            recording.dropped(Unrecorded.TOO_LARGE, 1);
        } else {
            recording.exchange(exchange.form(), exchange.answer(), exchange.startNanos(), now);
        }
    }

    /** A direction that ends within a message is no foreign protocol: {@link #closed} counts what stays incomplete. */
    private void giveUp(String reason) {
        if (over || ending) {
            return;
        }
        closed(now);
        boolean upgraded = reason.startsWith("upgrade") || reason.equals("tunnel");
        recording.unframed(upgraded ? Unrecorded.UPGRADED : Unrecorded.NOT_THE_PROTOCOL, reason);
    }

    private final class Requests implements HttpSink<RequestHead> {
        @Override
        public void head(RequestHead head, int rawLength) {
            if (pending.size() >= MAX_PENDING) {
                giveUp(MAX_PENDING + " requests without a reply");
            }
            if (!over) {
                asking = new HttpExchange(new HttpRequest(head), now, recording.largestMessage());
                pending.add(asking);
                heldBytes += asking.heldBytes();
                replies.expect(head.method());
            }
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            if (asking != null) {
                asking.request().body(content);
            }
        }

        @Override
        public void end() {
            HttpExchange asked = asking;
            asking = null;
            if (asked != null && !over) {
                asked.requestComplete();
                finish(asked);
            }
        }

        @Override
        public void unframed(String reason, int rawLength) {
            giveUp(reason);
        }
    }

    private final class Replies implements HttpSink<ReplyHead> {
        @Override
        public void head(ReplyHead head, int rawLength) {
            answering = pending.stream()
                    .filter(exchange -> !exchange.answered())
                    .findFirst()
                    .orElse(null);
            if (answering != null) {
                answering.replyBegins(head);
            } else {
                giveUp("a reply to no request");
            }
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            if (answering != null) {
                heldBytes -= answering.heldBytes();
                answering.replyBody(content);
                heldBytes += answering.heldBytes();
            }
        }

        @Override
        public void trailers(List<Header> trailers) {
            if (answering != null) {
                answering.trailers(trailers);
            }
        }

        @Override
        public void end() {
            HttpExchange answered = answering;
            answering = null;
            if (answered != null && !over) {
                answered.replyComplete();
                finish(answered);
            }
        }

        @Override
        public void unframed(String reason, int rawLength) {
            giveUp(reason);
        }
    }
}

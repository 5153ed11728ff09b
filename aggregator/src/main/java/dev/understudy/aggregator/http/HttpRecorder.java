package dev.understudy.aggregator.http;

import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.http.form.UpstreamHttpRequest;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pairs production's HTTP/1.1 requests with their replies, in order, and records them once both are complete.
 *
 * <p>Requests to upgrade are requests like others; a connection whose server agrees (101) is given up, or goes on as
 * HTTP/2 if that is what they agreed on.
 */
public final class HttpRecorder implements ConnectionRecorder {
    /** Requests sent and not answered; more is no client's pipeline. */
    private static final int MAX_PENDING = 1_000;

    /** Characters of a header's value beyond which it is hardly another reply's, too. */
    private static final int LONGEST_SHARED = 64;

    private final Recording<HttpAnswer> recording;
    private final FormRule rule;
    private final Successor successor;
    private final HttpRequestFramer requests = new HttpRequestFramer(new Requests());
    private final HttpReplyFramer replies = new HttpReplyFramer(new Replies());
    private final ArrayDeque<HttpExchange> pending = new ArrayDeque<>();
    private @Nullable HttpExchange asking;
    private @Nullable HttpExchange answering;
    private @Nullable HttpExchange switching;
    private @Nullable ConnectionRecorder next;
    private int unframedBytes;
    private long now;
    private long heldBytes;
    private boolean ending;
    private boolean clientLeft;
    private boolean over;

    /**
     * Makes the recorder of one connection.
     *
     * @param rule what counts for the requests' forms
     * @param successor records the connection if it changes to HTTP/2
     */
    public HttpRecorder(Recording<HttpAnswer> recording, FormRule rule, Successor successor) {
        this.recording = recording;
        this.rule = rule;
        this.successor = successor;
    }

    /** What a connection becomes whose server agrees to change to HTTP/2 in plain text. */
    @FunctionalInterface
    public interface Successor {
        /** Goes on with all that follows in both directions; {@code asked} is answered there. */
        ConnectionRecorder takeOver(HttpExchange asked);
    }

    @Override
    public void request(ByteBuffer data, long nanos) {
        now = nanos;
        if (next != null) {
            next.request(data, nanos);
        } else if (!over) {
            requests.feed(data);
        }
    }

    @Override
    public void reply(ByteBuffer data, long nanos) {
        now = nanos;
        if (next != null) {
            next.reply(data, nanos);
        } else if (!over) {
            ByteBuffer all = data.duplicate();
            replies.feed(data);
            if (next != null) {
                next.reply(all.position(all.limit() - unframedBytes), nanos);
            } else if (answering != null && !over) {
                change(answering, exchange -> exchange.offer(recording, nanos));
            }
        }
    }

    @Override
    public void requestEnd(long nanos) {
        clientLeft |= !ending;
        ending = true;
        if (next == null) {
            requests.end();
        }
    }

    @Override
    public void replyEnd(long nanos) {
        now = nanos;
        ending = true;
        if (next == null) {
            replies.end();
        }
    }

    @Override
    public long heldBytes() {
        return next != null ? next.heldBytes() : over ? 0 : heldBytes + requests.heldBytes() + replies.heldBytes();
    }

    @Override
    public void closed(long nanos) {
        if (next != null) {
            next.closed(nanos);
            return;
        }
        over = true;
        heldBytes = 0;
        LiveBody.Ending how = clientLeft ? LiveBody.Ending.LEFT : LiveBody.Ending.CUT_OFF;
        pending.forEach(exchange -> exchange.unfinished(recording, how));
        pending.clear();
    }

    /** Lets an exchange go on, and counts what it holds then. */
    private void change(HttpExchange exchange, Consumer<HttpExchange> change) {
        heldBytes -= exchange.heldBytes();
        change.accept(exchange);
        heldBytes += exchange.heldBytes();
    }

    private void finish(HttpExchange exchange) {
        if (!exchange.complete()) {
            return;
        }
        pending.remove(exchange);
        heldBytes -= exchange.heldBytes();
        if (exchange.given(LiveBody.Ending.WHOLE)) {
            exchange.end();
            return;
        }
        Unrecorded why = exchange.unrecorded();
        if (why != null) {
            exchange.abandon();
            recording.dropped(why, exchange.form());
        } else {
            exchange.record(recording, exchange.form(), thrifty(exchange.answer()), now);
        }
    }

    /** The same answer; what it shares with others is shared. */
    private HttpAnswer thrifty(HttpAnswer answer) {
        ReplyHead head = answer.head();
        List<Header> headers = head.headers().stream()
                .map(header -> header.value().length() <= LONGEST_SHARED ? recording.once(header) : header)
                .toList();
        ReplyHead shared =
                new ReplyHead(recording.once(head.version()), head.status(), recording.once(head.reason()), headers);
        return new HttpAnswer(
                shared,
                answer.body(),
                answer.trailers(),
                answer.framing(),
                answer.interim(),
                answer.pace(),
                answer.large());
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
                asking = new HttpExchange(
                        new UpstreamHttpRequest(head, rule), now, recording.largestMessage(), recording.bodies());
                pending.add(asking);
                heldBytes += asking.heldBytes();
                replies.expect(head.method());
            }
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            if (asking != null) {
                change(asking, exchange -> exchange.request().body(content));
            }
        }

        @Override
        public void end() {
            HttpExchange asked = asking;
            asking = null;
            if (asked != null && !over) {
                change(asked, HttpExchange::requestComplete);
                asked.await(recording);
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
            if (answering != null && head.status() == 101) {
                pending.remove(answering);
                heldBytes -= answering.heldBytes();
                boolean last = pending.isEmpty() && asking == null;
                switching = last && "h2c".equalsIgnoreCase(head.first("upgrade")) ? answering : null;
                answering = null;
            } else if (answering != null) {
                change(answering, exchange -> exchange.replyBegins(head));
            } else {
                giveUp("a reply to no request");
            }
        }

        @Override
        public void interim(ReplyHead head, int rawLength) {
            pending.stream()
                    .filter(exchange -> !exchange.answered())
                    .findFirst()
                    .ifPresent(next -> change(next, exchange -> exchange.interim(head)));
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            if (answering != null) {
                change(answering, exchange -> exchange.replyBody(content));
            }
        }

        @Override
        public void trailers(List<Header> trailers) {
            if (answering != null) {
                change(answering, exchange -> exchange.trailers(trailers));
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
            unframedBytes += rawLength;
            if (switching != null && next == null) {
                next = successor.takeOver(switching);
                switching = null;
                over = true;
            } else if (next == null) {
                giveUp(reason);
            }
        }
    }
}

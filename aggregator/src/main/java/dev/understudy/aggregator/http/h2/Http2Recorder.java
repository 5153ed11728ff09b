package dev.understudy.aggregator.http.h2;

import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.HttpExchange;
import dev.understudy.aggregator.http.LiveBody;
import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.http.form.UpstreamHttpRequest;
import dev.understudy.aggregator.record.ConnectionRecorder;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.Http2Heads;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.http2.Http2Reader;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pairs what production's client and the server say on each stream of an HTTP/2 connection, and records each once it is
 * complete.
 *
 * <p>Streams that the server resets, or that the client gives up (other than calls of gRPC that were being answered),
 * are {@link Unrecorded#INCOMPLETE}; pushed replies are {@link Unrecorded#SERVER_PUSH}.
 */
final class Http2Recorder implements ConnectionRecorder {
    private static final int PREFACE = 24;
    private static final int MAX_OPEN = 1_000;
    private static final int CANCEL = 8;

    private final Recording<HttpAnswer> recording;
    private final FormRule rule;
    private final Map<Integer, Http2Exchange> open = new HashMap<>();
    private final Requests requests = new Requests();
    private final Replies replies = new Replies();

    /** Whose reply has begun in what is being read. */
    private final List<Integer> begun = new ArrayList<>();

    private int prefaceLeft = PREFACE;
    private int lastOpened;
    private long now;
    private long exchangeBytes;
    private boolean ending;
    private boolean clientLeft;
    private boolean over;

    Http2Recorder(Recording<HttpAnswer> recording, FormRule rule) {
        this.recording = recording;
        this.rule = rule;
    }

    /**
     * Goes on with a connection that was one of HTTP/1.1 (RFC 7540, section 3.2).
     *
     * @param asked the request by which it changed, whose reply comes on stream 1
     * @param tableSize what the request's settings allow the server's header table to have
     */
    Http2Recorder(Recording<HttpAnswer> recording, FormRule rule, HttpExchange asked, long tableSize) {
        this(recording, rule);
        lastOpened = 1;
        add(1, new Http2Exchange(asked)).requestEnd();
        replies.reader.allow(tableSize);
    }

    @Override
    public void request(ByteBuffer data, long nanos) {
        now = nanos;
        int skipped = Math.min(prefaceLeft, data.remaining());
        prefaceLeft -= skipped;
        data.position(data.position() + skipped);
        requests.reader.feed(data);
    }

    @Override
    public void reply(ByteBuffer data, long nanos) {
        now = nanos;
        replies.reader.feed(data);
        begun.forEach(stream -> with(stream, exchange -> exchange.offer(recording, now)));
        begun.clear();
    }

    @Override
    public void requestEnd(long nanos) {
        clientLeft |= !ending;
        ending = true;
    }

    @Override
    public void replyEnd(long nanos) {
        ending = true;
    }

    @Override
    public long heldBytes() {
        return over ? 0 : exchangeBytes + requests.reader.heldBytes() + replies.reader.heldBytes();
    }

    @Override
    public void closed(long nanos) {
        over = true;
        requests.reader.stop();
        replies.reader.stop();
        LiveBody.Ending how = clientLeft ? LiveBody.Ending.LEFT : LiveBody.Ending.CUT_OFF;
        open.values().forEach(exchange -> exchange.unfinished(recording, how));
        open.clear();
    }

    private Http2Exchange add(int stream, Http2Exchange exchange) {
        open.put(stream, exchange);
        exchangeBytes += exchange.heldBytes();
        return exchange;
    }

    /** Does something to a stream that is open, and records it if it is complete then. */
    private void with(int stream, Change change) {
        Http2Exchange exchange = open.get(stream);
        if (exchange == null) {
            return;
        }
        exchangeBytes -= exchange.heldBytes();
        change.to(exchange);
        if (exchange.complete()) {
            open.remove(stream);
            exchange.record(recording, now);
        } else {
            exchange.http().await(recording);
            exchangeBytes += exchange.heldBytes();
        }
    }

    /** Ends a stream that isn't complete. */
    private void drop(int stream, boolean byClient, long code) {
        Http2Exchange exchange = open.remove(stream);
        if (exchange == null) {
            return;
        }
        exchangeBytes -= exchange.heldBytes();
        if (byClient && code == CANCEL) {
            exchange.cancelled(recording, now);
        } else {
            exchange.unfinished(recording, byClient ? LiveBody.Ending.LEFT : LiveBody.Ending.CUT_OFF);
        }
    }

    private void lose(int stream) {
        Http2Exchange exchange = open.remove(stream);
        if (exchange != null) {
            exchange.http().given(LiveBody.Ending.CUT_OFF);
            exchange.http().abandon();
            exchangeBytes -= exchange.heldBytes();
        }
        recording.dropped(Unrecorded.NOT_THE_PROTOCOL, 1);
    }

    private void giveUp(String reason) {
        if (!over) {
            closed(now);
            recording.unframed(Unrecorded.NOT_THE_PROTOCOL, reason);
        }
    }

    private interface Change {
        void to(Http2Exchange exchange);
    }

    /** What the two directions have in common. */
    private abstract class Side implements Http2Reader.Sink {
        final Http2Reader reader = new Http2Reader(this);

        abstract Side opposite();

        @Override
        public void reset(int stream, long code) {
            drop(stream, this == requests, code);
        }

        @Override
        public void tableSize(long bytes) {
            opposite().reader.allow(bytes);
        }

        @Override
        public void malformed(String why) {
            giveUp(why);
        }
    }

    private final class Requests extends Side {
        @Override
        Side opposite() {
            return replies;
        }

        @Override
        public void headers(int stream, @Nullable Http2Headers headers, boolean endStream) {
            if (stream <= lastOpened) {
                if (endStream) {
                    with(stream, Http2Exchange::requestEnd); // trailers, which don't count
                }
                return;
            }
            lastOpened = stream;
            RequestHead head = headers == null ? null : Http2Heads.request(headers);
            if (head == null) {
                lose(stream);
            } else if (open.size() >= MAX_OPEN) {
                giveUp(MAX_OPEN + " streams without a reply");
            } else {
                HttpExchange exchange = new HttpExchange(
                        new UpstreamHttpRequest(head, rule), now, recording.largestMessage(), recording.bodies());
                add(stream, new Http2Exchange(exchange));
                if (endStream) {
                    with(stream, Http2Exchange::requestEnd);
                }
            }
        }

        @Override
        public void data(int stream, ByteBuffer content, boolean last) {
            with(stream, exchange -> {
                exchange.request(content);
                if (last) {
                    exchange.requestEnd();
                }
            });
        }

        @Override
        public void promised() {
            giveUp("a promise of the client");
        }
    }

    private final class Replies extends Side {
        @Override
        Side opposite() {
            return requests;
        }

        @Override
        public void headers(int stream, @Nullable Http2Headers headers, boolean endStream) {
            Http2Exchange exchange = open.get(stream);
            if (exchange == null) {
                return;
            }
            boolean trailing = exchange.http().answered();
            ReplyHead head = headers == null || trailing ? null : Http2Heads.reply(headers);
            if (headers == null || (head == null && !trailing)) {
                lose(stream);
                return;
            }
            with(stream, answered -> {
                if (head == null) {
                    List<Header> trailers = Http2Heads.trailers(headers);
                    answered.http().trailers(trailers == null ? List.of() : trailers);
                } else if (head.status() < 200) {
                    answered.http().interim(head);
                } else {
                    answered.http().replyBegins(head);
                    begun.add(stream);
                }
                if (endStream) {
                    answered.replyEnd();
                }
            });
        }

        @Override
        public void data(int stream, ByteBuffer content, boolean last) {
            Http2Exchange exchange = open.get(stream);
            if (exchange != null && !exchange.http().answered()) {
                lose(stream);
                return;
            }
            with(stream, answered -> {
                answered.reply(content);
                if (last) {
                    answered.replyEnd();
                }
            });
        }

        @Override
        public void promised() {
            recording.dropped(Unrecorded.SERVER_PUSH, 1);
        }
    }
}

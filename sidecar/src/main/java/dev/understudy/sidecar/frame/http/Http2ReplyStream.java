package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.Http2Heads;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.relay.http2.Http2Reader;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.Request;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what one side of an HTTP/2 connection answers, and gives each stream's reply to the exchange on that stream:
 * both sides were asked in the same bytes, so that a stream has the same number on both. Confined to its lane loop.
 *
 * @param <X> what stands for a request and what comes of it
 */
final class Http2ReplyStream<X> implements ReplyStream<X>, Http2Reader.Sink {
    private final Http2Reader reader = new Http2Reader(this);
    private final Map<Integer, X> expected = new LinkedHashMap<>();
    private final Function<X, HttpReplyCopy> side;
    private final End<X> end;
    private boolean unframed;
    private long nanos;

    Http2ReplyStream(Function<X, HttpReplyCopy> side, End<X> end) {
        this.side = side;
        this.end = end;
        reader.allow(Http2RequestStream.TABLE);
    }

    @Override
    public void expect(X exchange, Request request) {
        if (request.stream() == 0) {
            malformed("HTTP/2 in answer to HTTP/1.1");
        } else {
            expected.put(request.stream(), exchange);
        }
    }

    @Override
    public void forget(Request request) {
        expected.remove(request.stream());
    }

    @Override
    public void data(ByteBuf data, long at) {
        try {
            nanos = at;
            if (!unframed) {
                reader.feed(data.nioBuffer());
            }
        } finally {
            data.release();
        }
    }

    @Override
    public void end(long at) {
        nanos = at;
    }

    @Override
    public Iterable<X> expected() {
        return expected.values();
    }

    @Override
    public boolean isUnframed() {
        return unframed;
    }

    @Override
    public void headers(int stream, @Nullable Http2Headers headers, boolean last) {
        X exchange = expected.get(stream);
        if (exchange == null) {
            return;
        }
        end.heard(exchange, nanos);
        HttpReplyCopy reply = side.apply(exchange);
        boolean understood = headers != null
                && (reply.status() == 0 ? head(reply, headers, last) : last && trailers(reply, headers));
        if (!understood) {
            unread(stream, exchange);
        } else if (last) {
            over(stream, exchange);
        }
    }

    private boolean head(HttpReplyCopy reply, Http2Headers headers, boolean last) {
        ReplyHead head = Http2Heads.reply(headers);
        if (head == null || (head.status() < 200 && last)) {
            return false;
        }
        int length = head.headers().stream()
                .mapToInt(header -> header.name().length() + header.value().length() + 4)
                .sum();
        if (head.status() < 200) {
            reply.interim(head, length);
        } else {
            reply.head(head, length, nanos);
        }
        return true;
    }

    private static boolean trailers(HttpReplyCopy reply, Http2Headers headers) {
        List<Header> trailers = Http2Heads.trailers(headers);
        if (trailers != null) {
            reply.trailers(trailers);
        }
        return trailers != null;
    }

    @Override
    public void data(int stream, ByteBuffer content, boolean last) {
        X exchange = expected.get(stream);
        if (exchange == null) {
            return;
        }
        end.heard(exchange, nanos);
        HttpReplyCopy reply = side.apply(exchange);
        if (reply.status() == 0) {
            unread(stream, exchange);
            return;
        }
        if (content.hasRemaining()) {
            reply.body(content, content.remaining());
        }
        if (last) {
            over(stream, exchange);
        }
    }

    /** Frames are whole, whatever is in them: those of other streams can be read. */
    private void unread(int stream, X exchange) {
        expected.remove(stream);
        end.unread(exchange, nanos);
    }

    private void over(int stream, X exchange) {
        expected.remove(stream);
        side.apply(exchange).end(nanos);
        end.ended(exchange);
    }

    @Override
    public void reset(int stream, long code) {
        X exchange = expected.remove(stream);
        if (exchange != null) {
            end.cut(exchange, nanos);
        }
    }

    @Override
    public void promised() {
        malformed("HTTP/2: a reply that nobody asked for");
    }

    @Override
    public void malformed(String why) {
        if (!unframed) {
            unframed = true;
            reader.stop();
            end.unframed(why);
        }
    }
}

package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.wire.http.Http2Heads;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.http2.Http2Reader;
import dev.understudy.sidecar.frame.RawBytes;
import dev.understudy.sidecar.frame.RequestStream;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what the client of an HTTP/2 connection sends into requests, one for each stream (RFC 9113). Every byte goes on
 * as it came: of a request those of its own frames; of none the preface and what is about the connection.
 *
 * <p>Knows at most {@value #MOST_OPEN} requests that aren't over: of more, the oldest is taken to be. Confined to its
 * lane loop.
 *
 * @param <X> what stands for a request and what comes of it
 */
final class Http2RequestStream<X> implements RequestStream, Http2Reader.Sink {
    private static final int MOST_OPEN = 1000;
    private static final int PREFACE = 24;

    /** What browsers allow at most; who uses more isn't cut. */
    static final int TABLE = 64 << 10;

    private final Http2Reader reader = new Http2Reader(this);
    private final RawBytes bytes = new RawBytes();
    private final Map<Integer, X> open = new LinkedHashMap<>();
    private final Cut<X> cut;
    private int prefaceLeft = PREFACE;
    private long handedOn;
    private int lastOpened;
    private boolean unframed;
    private long nanos;
    private long firstNanos;

    Http2RequestStream(Cut<X> cut) {
        this.cut = cut;
        reader.allow(TABLE);
    }

    @Override
    public void data(ByteBuf data, long at) {
        if (bytes.readable() == 0) {
            firstNanos = at;
        }
        nanos = at;
        ByteBuffer fed = data.nioBuffer();
        bytes.add(data);
        int preface = Math.min(prefaceLeft, fed.remaining());
        if (preface > 0) {
            prefaceLeft -= preface;
            fed.position(preface);
            cut.raw(bytes.take(preface), nanos);
        }
        if (unframed) {
            rest();
        } else {
            reader.feed(fed);
            bytes.compact();
        }
    }

    @Override
    public void end(long at) {
        nanos = at;
        rest();
    }

    @Override
    public void leave(String reason) {
        if (!unframed) {
            unframed = true;
            reader.stop();
            open.clear();
            cut.unframed(null, NotCompared.UNFRAMED, reason, nanos);
            rest();
        }
    }

    private void rest() {
        if (bytes.readable() > 0) {
            cut.raw(bytes.take(bytes.readable()), nanos);
        }
    }

    @Override
    public void release() {
        unframed = true;
        reader.stop();
        open.clear();
        bytes.release();
    }

    @Override
    public void headers(int stream, @Nullable Http2Headers headers, boolean last) {
        if (stream <= lastOpened) { // trailers
            of(stream, last);
            return;
        }
        lastOpened = stream;
        RequestHead head = headers == null ? null : Http2Heads.request(headers);
        if (head == null) {
            cut.unread("HTTP/2: a request without a head that can be read", nanos);
            other();
            return;
        }
        X exchange = cut.request(new HttpRequest(head, length(head), stream), frames(), firstNanos, nanos);
        firstNanos = nanos;
        if (exchange == null) {
            return;
        }
        if (last) {
            cut.requestEnd(exchange, nanos);
            return;
        }
        open.put(stream, exchange);
        if (open.size() > MOST_OPEN) {
            Iterator<X> oldest = open.values().iterator();
            cut.requestEnd(oldest.next(), nanos);
            oldest.remove();
        }
    }

    /** What the head would have been in HTTP/1.1: its length in HTTP/2 says little about what it takes. */
    private static int length(RequestHead head) {
        return head.method().length()
                + head.target().length()
                + head.headers().stream()
                        .mapToInt(header ->
                                header.name().length() + header.value().length() + 4)
                        .sum();
    }

    @Override
    public void data(int stream, ByteBuffer content, boolean last) {
        of(stream, last);
    }

    @Override
    public void reset(int stream, long code) {
        of(stream, true);
        cut.cancelled(stream, nanos);
    }

    /** The frames that were read belong to that stream. */
    private void of(int stream, boolean last) {
        X exchange = open.get(stream);
        if (exchange == null) {
            other();
            return;
        }
        cut.body(exchange, frames(), nanos);
        firstNanos = nanos;
        if (last) {
            open.remove(stream);
            cut.requestEnd(exchange, nanos);
        }
    }

    @Override
    public void other() {
        cut.raw(frames(), nanos);
        firstNanos = nanos;
    }

    private ByteBuf frames() {
        int length = (int) (reader.consumed() - handedOn);
        handedOn += length;
        return bytes.take(length);
    }

    @Override
    public void promised() {
        leave("HTTP/2: a promise of the client");
    }

    @Override
    public void malformed(String why) {
        leave(why);
    }
}

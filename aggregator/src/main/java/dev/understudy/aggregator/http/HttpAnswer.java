package dev.understudy.aggregator.http;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Checksum;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.divergence.content.ValueWords;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP reply: head, body without its framing, trailers. The body's bytes are shared and never changed.
 *
 * @param head of version {@code HTTP/2}, if that is what it came by
 * @param framing how the body's end is told
 * @param interim the heads before that with a status of 1xx, but 100 and 101
 * @param pace what of the body belongs to how much of the request; null if the whole reply belongs to the whole request
 * @param large the body, if it lies in files; {@code body} is empty then. Null if it doesn't
 * @param stream the body and trailers, if production is still receiving them. Null if it isn't
 */
public record HttpAnswer(
        ReplyHead head,
        byte[] body,
        List<Header> trailers,
        Framing framing,
        List<ReplyHead> interim,
        @Nullable HttpPace pace,
        @Nullable LargeBody large,
        @Nullable LiveBody stream)
        implements RecordedReply {
    private static final byte[] CRLF = {'\r', '\n'};
    private static final String HTTP_2 = "HTTP/2";

    public HttpAnswer {
        trailers = List.copyOf(trailers);
        interim = List.copyOf(interim);
    }

    /** A reply to a whole request, with nothing before it. */
    public HttpAnswer(ReplyHead head, byte[] body, List<Header> trailers, Framing framing) {
        this(head, body, trailers, framing, List.of(), null, null, null);
    }

    /** A complete reply. */
    public HttpAnswer(
            ReplyHead head,
            byte[] body,
            List<Header> trailers,
            Framing framing,
            List<ReplyHead> interim,
            @Nullable HttpPace pace,
            @Nullable LargeBody large) {
        this(head, body, trailers, framing, interim, pace, large, null);
    }

    private HttpAnswer with(ReplyHead other) {
        return new HttpAnswer(other, body, trailers, framing, interim, pace, large, stream);
    }

    @Override
    public long bytes() {
        long heads = sizeOf(head.headers()) + sizeOf(trailers);
        for (ReplyHead early : interim) {
            heads += 64 + sizeOf(early.headers());
        }
        return heads + body.length + (pace == null ? 0 : pace.bytes());
    }

    private static long sizeOf(List<Header> headers) {
        long size = 0;
        for (Header header : headers) {
            size += 64 + header.name().length() + header.value().length();
        }
        return size;
    }

    @Override
    public void addTo(ValueWords words) {
        words.add(body);
    }

    @Override
    public long answer() {
        Checksum sum = new Checksum().add(head.status()).add(body);
        if (stream != null) {
            sum.add((int) (stream.id() >>> 32)).add((int) stream.id()); // like no other: its end isn't known
        }
        if (large != null) {
            sum.add((int) (large.sum() >>> 32)).add((int) large.sum());
        }
        return answer(sum, head, trailers);
    }

    /** @param sum of the status and the body */
    static long answer(Checksum sum, ReplyHead head, List<Header> trailers) {
        for (List<Header> headers : List.of(head.headers(), trailers)) {
            for (Header header : headers) {
                if (header.is("grpc-status") || header.is("grpc-message")) {
                    sum.add(header.value().getBytes(StandardCharsets.ISO_8859_1));
                }
            }
        }
        return sum.value();
    }

    @Override
    public boolean isOpen() {
        return stream != null;
    }

    @Override
    public void discard() {
        RecordedReply.super.discard();
        if (stream != null) {
            stream.discard();
        }
    }

    /** Whether the connection is over after this reply. */
    boolean closes() {
        String connection = String.join(",", head.all("connection")).toLowerCase(Locale.ROOT);
        return framing == Framing.UNTIL_CLOSE
                || connection.contains("close")
                || (head.version().equals("HTTP/1.0") && !connection.contains("keep-alive"));
    }

    /** The same for a client that named this {@code Host}. */
    public HttpAnswer to(@Nullable String host) {
        ReplyHead given = OwnAddress.given(head, host);
        return given.equals(head) ? this : with(given);
    }

    /**
     * The reply as wire bytes of HTTP/1.1, as it was recorded, framed as its head says; the body is shared, not copied.
     * A large one, and one that is a stream, isn't there: its {@link #piece pieces} and its {@link #end} follow.
     */
    ByteBuf wire() {
        ReplyHead given = head.version().equals(HTTP_2) ? inHttp1() : head;
        ByteBuf main = large == null && stream == null ? framed(given) : Unpooled.wrappedBuffer(given.encode());
        if (interim.isEmpty()) {
            return main;
        }
        ByteBuf all = Unpooled.wrappedBuffer(interim.stream()
                .map(early -> new ReplyHead("HTTP/1.1", early.status(), early.reason(), early.headers()).encode())
                .toArray(byte[][]::new));
        return Unpooled.wrappedBuffer(all, main);
    }

    /** The head that an HTTP/1.1 server would have sent for this reply, which came by HTTP/2. */
    private ReplyHead inHttp1() {
        String reason = HttpResponseStatus.valueOf(head.status()).reasonPhrase();
        ReplyHead same = new ReplyHead("HTTP/1.1", head.status(), reason, head.headers());
        return framing == Framing.CHUNKED ? same.with("transfer-encoding", "chunked") : same;
    }

    /** The same for a client of HTTP/1.0, which knows no chunks: the connection's end is the body's. */
    HttpAnswer withoutChunks() {
        return framing != Framing.CHUNKED
                ? this
                : new HttpAnswer(
                        head.without("transfer-encoding"),
                        body,
                        List.of(),
                        Framing.UNTIL_CLOSE,
                        List.of(),
                        null,
                        large,
                        stream);
    }

    /**
     * The same with what it was made to suffer on purpose said in a header.
     *
     * @param faults the names of the rules; may be empty
     */
    public HttpAnswer marked(List<String> faults) {
        if (faults.isEmpty()) {
            return this;
        }
        List<Header> headers = new ArrayList<>(head.headers());
        headers.add(new Header(HttpProblem.FAULT, String.join(", ", faults)));
        return with(new ReplyHead(head.version(), head.status(), head.reason(), headers));
    }

    /** A piece of such a body as wire bytes of HTTP/1.1; takes ownership of it. */
    ByteBuf piece(ByteBuf piece) {
        if (framing != Framing.CHUNKED) {
            return piece;
        }
        ByteBuf size = Unpooled.wrappedBuffer(size(piece.readableBytes()));
        return Unpooled.wrappedBuffer(size, piece, Unpooled.wrappedBuffer(CRLF));
    }

    /** What follows such a body in HTTP/1.1, once that is over. */
    ByteBuf end() {
        return framing == Framing.CHUNKED ? Unpooled.wrappedBuffer(lastChunk()) : Unpooled.EMPTY_BUFFER;
    }

    private ByteBuf framed(ReplyHead head) {
        if (framing != Framing.CHUNKED) {
            return Unpooled.wrappedBuffer(head.encode(), body);
        }
        byte[] last = lastChunk();
        if (body.length == 0) {
            return Unpooled.wrappedBuffer(head.encode(), last);
        }
        return Unpooled.wrappedBuffer(head.encode(), size(body.length), body, CRLF, last);
    }

    private static byte[] size(int chunk) {
        return (Integer.toHexString(chunk) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private byte[] lastChunk() {
        StringBuilder end = new StringBuilder("0\r\n");
        for (Header trailer : stream == null ? trailers : stream.trailers()) {
            end.append(trailer.name()).append(": ").append(trailer.value()).append("\r\n");
        }
        return end.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** How a client knows where the body ends. */
    public enum Framing {
        /** There is none, or its length stands in the head. */
        COUNTED,
        CHUNKED,
        UNTIL_CLOSE;

        /** RFC 9112, section 6.3; without a length HTTP/2 is told on as chunks are. */
        static Framing of(String method, ReplyHead head) {
            if (method.equals("HEAD") || head.status() == 204 || head.status() == 304) {
                return COUNTED;
            }
            if (head.version().equals(HTTP_2)) {
                return head.first("content-length") == null ? CHUNKED : COUNTED;
            }
            if (!head.all("transfer-encoding").isEmpty()) {
                String codings = String.join(",", head.all("transfer-encoding")).toLowerCase(Locale.ROOT);
                return codings.contains("chunked") ? CHUNKED : UNTIL_CLOSE;
            }
            return head.first("content-length") == null ? UNTIL_CLOSE : COUNTED;
        }
    }
}

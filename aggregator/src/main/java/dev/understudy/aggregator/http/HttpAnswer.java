package dev.understudy.aggregator.http;

import dev.understudy.aggregator.journal.Checksum;
import dev.understudy.aggregator.journal.Reply;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One complete HTTP reply: head, body without its framing, trailers. The body's bytes are shared and never changed.
 *
 * @param framing how the body's end is told
 */
public record HttpAnswer(ReplyHead head, byte[] body, List<Header> trailers, Framing framing) implements Reply {
    private static final byte[] CRLF = {'\r', '\n'};

    @Override
    public long bytes() {
        long heads = 0;
        for (List<Header> headers : List.of(head.headers(), trailers)) {
            for (Header header : headers) {
                heads += 64 + header.name().length() + header.value().length();
            }
        }
        return heads + body.length;
    }

    @Override
    public long answer() {
        return new Checksum().add(head.status()).add(body).value();
    }

    /** Whether the connection is over after this reply. */
    boolean closes() {
        String connection = String.join(",", head.all("connection")).toLowerCase(Locale.ROOT);
        return framing == Framing.UNTIL_CLOSE
                || connection.contains("close")
                || (head.version().equals("HTTP/1.0") && !connection.contains("keep-alive"));
    }

    /** The reply as wire bytes, as it was recorded. */
    ByteBuf wire() {
        return wire(List.of());
    }

    /**
     * The reply as wire bytes, framed as its head says; the body is shared, not copied.
     *
     * @param faults what it was made to suffer on purpose, to be said in a header
     */
    ByteBuf wire(List<String> faults) {
        ReplyHead head = faults.isEmpty() ? this.head : marked(faults);
        if (framing != Framing.CHUNKED) {
            return Unpooled.wrappedBuffer(head.encode(), body);
        }
        StringBuilder end = new StringBuilder("0\r\n");
        for (Header trailer : trailers) {
            end.append(trailer.name()).append(": ").append(trailer.value()).append("\r\n");
        }
        byte[] last = end.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        if (body.length == 0) {
            return Unpooled.wrappedBuffer(head.encode(), last);
        }
        byte[] size = (Integer.toHexString(body.length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        return Unpooled.wrappedBuffer(head.encode(), size, body, CRLF, last);
    }

    private ReplyHead marked(List<String> faults) {
        List<Header> headers = new ArrayList<>(head.headers());
        headers.add(new Header(HttpProblem.FAULT, String.join(", ", faults)));
        return new ReplyHead(head.version(), head.status(), head.reason(), headers);
    }

    /** How a client knows where the body ends. */
    public enum Framing {
        /** There is none, or its length stands in the head. */
        COUNTED,
        CHUNKED,
        UNTIL_CLOSE;

        /** RFC 9112, section 6.3. */
        static Framing of(String method, ReplyHead head) {
            if (method.equals("HEAD") || head.status() == 204 || head.status() == 304) {
                return COUNTED;
            }
            if (!head.all("transfer-encoding").isEmpty()) {
                String codings = String.join(",", head.all("transfer-encoding")).toLowerCase(Locale.ROOT);
                return codings.contains("chunked") ? CHUNKED : UNTIL_CLOSE;
            }
            return head.first("content-length") == null ? UNTIL_CLOSE : COUNTED;
        }
    }
}

package dev.understudy.it.divergence;

import dev.understudy.divergence.compare.http.HttpReply;
import dev.understudy.divergence.compare.http.HttpReplyCapture;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.HttpReplyFramer;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request and its reply, ready to be changed. The body is shared: leave it unchanged.
 *
 * @param name what it is called in tables
 * @param request method and target
 * @param status the first line
 * @param headers without Content-Length, which {@link #wire} adds
 * @param cutOff whether the connection ended before the last byte
 */
@SuppressWarnings("ArrayRecordComponent") // never compared by equals
record Sample(String name, String request, String status, List<Header> headers, byte[] body, boolean cutOff) {
    private static final int MOST = 64 << 20;

    Sample {
        headers = List.copyOf(headers);
    }

    /** From a text of a line with the request, and the reply with plain line ends. */
    static Sample of(String name, String text) {
        int end = text.indexOf("\n\n");
        String[] head = text.substring(0, end).split("\n", -1);
        List<Header> headers = new ArrayList<>();
        for (int i = 2; i < head.length; i++) {
            int colon = head[i].indexOf(':');
            headers.add(new Header(
                    head[i].substring(0, colon), head[i].substring(colon + 1).strip()));
        }
        byte[] body = text.substring(end + 2).getBytes(StandardCharsets.UTF_8);
        return new Sample(name, head[0], head[1], headers, body, false);
    }

    Sample withBody(byte[] other) {
        return new Sample(name, request, status, headers, other, cutOff);
    }

    Sample withBody(String other) {
        return withBody(other.getBytes(StandardCharsets.UTF_8));
    }

    Sample withHeaders(List<Header> others) {
        return new Sample(name, request, status, others, body, cutOff);
    }

    Sample withStatus(String other) {
        return new Sample(name, request, other, headers, body, cutOff);
    }

    Sample cut() {
        return new Sample(name, request, status, headers, body, true);
    }

    @Nullable
    String header(String wanted) {
        return headers.stream()
                .filter(header -> header.is(wanted))
                .map(Header::value)
                .findFirst()
                .orElse(null);
    }

    boolean isJson() {
        String type = header("Content-Type");
        return type != null && type.contains("json") && body.length > 0;
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    byte[] wire() {
        StringBuilder head = new StringBuilder(status).append("\r\n");
        headers.forEach(header ->
                head.append(header.name()).append(": ").append(header.value()).append("\r\n"));
        head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        wire.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        wire.write(body, 0, cutOff ? body.length / 2 : body.length);
        return wire.toByteArray();
    }

    /** What the sidecar would have captured of it. */
    HttpReply reply(Instant begun, Instant ended) {
        HttpReplyCapture capture = new HttpReplyCapture(MOST);
        HttpReplyFramer framer = new HttpReplyFramer(capture);
        framer.feed(ByteBuffer.wrap(wire()));
        framer.end();
        return capture.finish(begun, ended);
    }
}

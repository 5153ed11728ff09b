package dev.understudy.divergence.assertion;

import dev.understudy.divergence.compare.http.HttpReply;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Where assertions about replies begin: import its methods statically. */
public final class Equivalence {
    private Equivalence() {}

    /** Begins an assertion about a reply. */
    public static ReplyAssert assertThat(HttpReply actual) {
        return new ReplyAssert(actual);
    }

    /** A reply with status 200 and that JSON text, as if it had been given now. */
    public static HttpReply json(String text) {
        return body("application/json", text);
    }

    /** A reply with status 200 and that text, as if it had been given now. */
    public static HttpReply body(String contentType, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        List<Header> headers =
                List.of(new Header("Content-Type", contentType), new Header("Content-Length", "" + body.length));
        Instant now = Instant.now();
        return reply(new ReplyHead("HTTP/1.1", 200, "OK", headers), body, now, now);
    }

    /** A reply that the JDK's client got just now. */
    public static HttpReply reply(HttpResponse<byte[]> response) {
        Instant now = Instant.now();
        return reply(response, now, now);
    }

    /**
     * A reply that the JDK's client got.
     *
     * @param begun when the request was sent: a time stamp between then and {@code ended} is expected to differ
     * @param ended when the reply was complete
     */
    public static HttpReply reply(HttpResponse<byte[]> response, Instant begun, Instant ended) {
        List<Header> headers = new ArrayList<>();
        response.headers().map().forEach((name, values) -> {
            if (!name.startsWith(":")) {
                values.forEach(value -> headers.add(new Header(name, value)));
            }
        });
        String version = response.version() == HttpClient.Version.HTTP_2 ? "HTTP/2" : "HTTP/1.1";
        return reply(new ReplyHead(version, response.statusCode(), "", headers), response.body(), begun, ended);
    }

    private static HttpReply reply(ReplyHead head, byte[] body, Instant begun, Instant ended) {
        return new HttpReply(List.of(), head, body, body.length, new byte[0], List.of(), true, begun, ended);
    }
}

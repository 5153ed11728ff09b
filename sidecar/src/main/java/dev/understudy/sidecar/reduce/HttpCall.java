package dev.understudy.sidecar.reduce;

import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.RequestHead;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One request of HTTP/1.1 that can be taken apart and written again. Immutable.
 *
 * @param body without chunks; it isn't changed
 */
public record HttpCall(RequestHead head, byte[] body) {
    /** The largest body that is taken. */
    static final int MOST_BODY = 1 << 20;

    private static final Set<String> BODILESS = Set.of("GET", "HEAD", "DELETE", "OPTIONS");

    /** The request that these bytes are; empty if they aren't one of HTTP/1.1. */
    public static Optional<HttpCall> of(byte[] bytes) {
        Collector collector = new Collector();
        collector.feed(ByteBuffer.wrap(bytes));
        return collector.calls().size() == 1 ? Optional.of(collector.calls().get(0)) : Optional.empty();
    }

    /** The same with another header of that name. */
    public HttpCall with(String header, String value) {
        return new HttpCall(head.without(header).with(header, value), body);
    }

    /** The same as the debug JVM knows it: with what that made up itself instead of what production did. */
    public HttpCall with(IdentityMap identities) {
        MediaType type = MediaType.of(head.first("Content-Type"));
        boolean isEncoded = head.first("Content-Encoding") != null;
        byte[] known = type == null || isEncoded ? body : identities.rewrite(type, body);
        return new HttpCall(identities.rewrite(head), known);
    }

    /** Its query's parameters as they were written, without what separates them. */
    List<String> query() {
        int begin = head.target().indexOf('?');
        return begin < 0 ? List.of() : pairs(head.target().substring(begin + 1));
    }

    HttpCall withQuery(List<String> parameters) {
        int begin = head.target().indexOf('?');
        String path = begin < 0 ? head.target() : head.target().substring(0, begin);
        String target = parameters.isEmpty() ? path : path + "?" + String.join("&", parameters);
        return new HttpCall(new RequestHead(head.method(), target, head.version(), head.headers()), body);
    }

    HttpCall withHeaders(List<Header> headers) {
        return new HttpCall(new RequestHead(head.method(), head.target(), head.version(), headers), body);
    }

    HttpCall withBody(byte[] other) {
        return new HttpCall(head, other);
    }

    /** Its form's parameters; none if its body isn't a form. */
    List<String> form() {
        return isOf("application/x-www-form-urlencoded") ? pairs(text()) : List.of();
    }

    HttpCall withForm(List<String> parameters) {
        return form().isEmpty() ? this : withBody(String.join("&", parameters).getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Whether its body is said to be of a media type whose name has that in it. */
    boolean isOf(String type) {
        String said = head.first("Content-Type");
        return said != null && said.toLowerCase(Locale.ROOT).contains(type);
    }

    /** Its body, byte by byte as ISO 8859-1. */
    String text() {
        return new String(body, StandardCharsets.ISO_8859_1);
    }

    /** How it is sent. */
    byte[] bytes() {
        boolean counted = body.length > 0 || !BODILESS.contains(head.method());
        byte[] front = (counted ? head.with("Content-Length", Integer.toString(body.length)) : head).encode();
        byte[] all = Arrays.copyOf(front, front.length + body.length);
        System.arraycopy(body, 0, all, front.length, body.length);
        return all;
    }

    private static List<String> pairs(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("&", -1));
    }

    /** Collects the requests of one connection. Confined to one thread. */
    static final class Collector implements HttpSink<RequestHead> {
        private final HttpRequestFramer framer = new HttpRequestFramer(this);
        private final List<HttpCall> calls = new ArrayList<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private @Nullable RequestHead begun;
        private String problem = "";

        void feed(ByteBuffer bytes) {
            framer.feed(bytes);
        }

        /** Those that are whole. */
        List<HttpCall> calls() {
            return List.copyOf(calls);
        }

        /** Why what follows the last one can't be taken apart; empty if it can. */
        String problem() {
            return problem;
        }

        @Override
        public void head(RequestHead head, int rawLength) {
            begun = head.without("Content-Length").without("Transfer-Encoding").without("Expect");
            body.reset();
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            byte[] bytes = new byte[content.remaining()];
            content.get(bytes);
            if (body.size() + bytes.length > MOST_BODY) {
                begun = null;
                problem = "a body of more than " + MOST_BODY + " bytes";
            } else if (begun != null) {
                body.writeBytes(bytes);
            }
        }

        @Override
        public void end() {
            if (begun != null && problem.isEmpty()) {
                calls.add(new HttpCall(begun, body.toByteArray()));
            }
            begun = null;
        }

        @Override
        public void unframed(String reason, int rawLength) {
            problem = problem.isEmpty() ? reason : problem;
        }
    }
}

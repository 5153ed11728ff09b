package dev.understudy.aggregator.http;

import dev.understudy.aggregator.http.stub.StubRequest;
import dev.understudy.aggregator.live.LiveRead;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.HttpReplyFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request with a safe method (RFC 9110, section 9.2.1) for the real server, in HTTP/1.1 on a connection of its own.
 */
public final class HttpLiveRead implements LiveRead<HttpAnswer> {
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    /** With them, servers take a safe method for another one. */
    private static final List<String> OVERRIDES =
            List.of("x-http-method-override", "x-http-method", "x-method-override");

    /** They are for one connection, or for a body that isn't there. */
    private static final Set<String> LEFT_OUT = Set.of(
            "connection",
            "content-length",
            "expect",
            "http2-settings",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private final RequestHead head;
    private final Sink sink = new Sink();
    private final HttpReplyFramer framer = new HttpReplyFramer(sink);
    private Progress progress = Progress.INCOMPLETE;

    private HttpLiveRead(RequestHead head) {
        this.head = head;
        framer.expect(head.method());
    }

    /** The request as a read; null if it isn't known to be one. */
    public static @Nullable HttpLiveRead of(StubRequest request) {
        RequestHead head = request.head();
        byte[] body = request.body();
        boolean isSafe = SAFE.contains(head.method())
                && body != null
                && body.length == 0
                && OVERRIDES.stream().allMatch(name -> head.all(name).isEmpty());
        return isSafe ? new HttpLiveRead(head) : null;
    }

    @Override
    public byte[] request() {
        List<Header> sent = head.headers().stream()
                .filter(header -> !LEFT_OUT.contains(header.name().toLowerCase(Locale.ROOT)))
                .toList();
        return new RequestHead(head.method(), head.target(), "HTTP/1.1", sent)
                .with("Connection", "close")
                .encode();
    }

    @Override
    public Progress feed(ByteBuffer bytes) {
        framer.feed(bytes);
        return progress;
    }

    @Override
    public Progress end() {
        framer.end();
        return progress == Progress.COMPLETE ? progress : Progress.BROKEN;
    }

    @Override
    public HttpAnswer reply() {
        ReplyHead whole = sink.head;
        if (progress != Progress.COMPLETE || whole == null) {
            throw new IllegalStateException("the reply is " + progress);
        }
        // the real server's connection ends with its reply, and the debug JVM's doesn't
        ReplyHead given = whole.without("connection").without("keep-alive");
        HttpAnswer.Framing framing = HttpAnswer.Framing.of(head.method(), given);
        byte[] body = sink.body.toByteArray();
        if (framing == HttpAnswer.Framing.UNTIL_CLOSE
                && given.all("transfer-encoding").isEmpty()) {
            given = given.with("content-length", Integer.toString(body.length));
            framing = HttpAnswer.Framing.COUNTED;
        }
        return new HttpAnswer(given, body, sink.trailers, framing);
    }

    @Override
    public String problem() {
        return "its reply isn't whole, or no HTTP/1.1";
    }

    private final class Sink implements HttpSink<ReplyHead> {
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private @Nullable ReplyHead head;
        private List<Header> trailers = List.of();

        @Override
        public void head(ReplyHead begun, int rawLength) {
            if (head == null) {
                head = begun;
            }
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            if (progress == Progress.INCOMPLETE) {
                byte[] piece = new byte[content.remaining()];
                content.get(piece);
                body.writeBytes(piece);
            }
        }

        @Override
        public void trailers(List<Header> received) {
            if (progress == Progress.INCOMPLETE) {
                trailers = List.copyOf(received);
            }
        }

        @Override
        public void end() {
            if (progress == Progress.INCOMPLETE) {
                progress = Progress.COMPLETE;
            }
        }

        @Override
        public void unframed(String reason, int rawLength) {
            if (progress == Progress.INCOMPLETE) {
                progress = Progress.BROKEN;
            }
        }
    }
}

package dev.understudy.aggregator.http;

import dev.understudy.aggregator.live.LiveRead;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.HttpReplyFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ForwardedRequest} to a running server, in HTTP/1.1 on a connection of its own, with its reply as that comes.
 * The body's coding stays as it is. Confined to the event loop of the debug connection.
 */
abstract class ForwardedCall implements LiveRead<HttpAnswer> {
    private final RequestHead asked;
    private final byte[] content;
    private final Sink sink = new Sink();
    private final HttpReplyFramer framer = new HttpReplyFramer(sink);
    private Progress progress = Progress.INCOMPLETE;

    ForwardedCall(RequestHead asked, byte[] content) {
        this.asked = asked;
        this.content = content;
        framer.expect(asked.method());
    }

    @Override
    public final byte[] request() {
        return ForwardedRequest.encode(asked, content);
    }

    @Override
    public final Progress feed(ByteBuffer bytes) {
        framer.feed(bytes);
        return progress;
    }

    @Override
    public final Progress end() {
        framer.end();
        return progress == Progress.COMPLETE ? progress : Progress.BROKEN;
    }

    @Override
    public final String problem() {
        return "its reply isn't whole, or no HTTP/1.1";
    }

    /** The reply for the debug JVM's connection, which doesn't end with it, once it is complete. */
    @Override
    public HttpAnswer reply() {
        ReplyHead whole = sink.head;
        if (progress != Progress.COMPLETE || whole == null) {
            throw new IllegalStateException("the reply is " + progress);
        }
        ReplyHead given = whole.without("connection").without("keep-alive");
        HttpAnswer.Framing framing = HttpAnswer.Framing.of(asked.method(), given);
        byte[] body = sink.body.toByteArray();
        if (framing == HttpAnswer.Framing.UNTIL_CLOSE
                && given.all("transfer-encoding").isEmpty()) {
            given = given.with("content-length", Integer.toString(body.length));
            framing = HttpAnswer.Framing.COUNTED;
        }
        return new HttpAnswer(given, body, sink.trailers, framing);
    }

    private final class Sink implements HttpSink<ReplyHead> {
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private @Nullable ReplyHead head;
        private List<Header> trailers = List.of();

        @Override
        public void head(ReplyHead begun, int rawLength) {
            if (begun.status() == 101) {
                progress = Progress.BROKEN; // nobody asked for another protocol
            }
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

package dev.understudy.aggregator.http;

import dev.understudy.aggregator.http.stub.StubRequest;
import dev.understudy.aggregator.http.stub.Stubs;
import dev.understudy.aggregator.live.LiveRead;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A request of any method for a stand-in, in HTTP/1.1 on a connection of its own, with its body. The reply is marked as
 * one that no real server gave.
 */
public final class HttpStandinCall implements LiveRead<HttpAnswer> {
    /** The header that says of a reply that a stand-in gave it. */
    static final String MARK = "understudy-standin";

    private final RequestHead head;
    private final byte[] body;
    private final ForwardedReply coming;

    private HttpStandinCall(RequestHead head, byte[] body) {
        this.head = head;
        this.body = body;
        this.coming = new ForwardedReply(head.method());
    }

    /** Bytes of a request's body that are kept for who may answer it where nothing recorded fits. */
    public static int keptBody(Stubs stubs, UpstreamReplay<?> replay) {
        return stubs.isEmpty() && !replay.asksStandin() ? 0 : Stubs.LONGEST_BODY;
    }

    /** The request as a stand-in gets it; null if its body isn't there any more. */
    public static @Nullable HttpStandinCall of(StubRequest request) {
        byte[] body = request.body();
        return body == null ? null : new HttpStandinCall(request.head(), body);
    }

    @Override
    public byte[] request() {
        return ForwardedRequest.encode(head, body);
    }

    @Override
    public Progress feed(ByteBuffer bytes) {
        return coming.feed(bytes);
    }

    @Override
    public Progress end() {
        return coming.end();
    }

    @Override
    public HttpAnswer reply() {
        HttpAnswer answer = coming.answer();
        ReplyHead marked = answer.head().with(MARK, "true");
        return new HttpAnswer(marked, answer.body(), answer.trailers(), answer.framing());
    }

    @Override
    public String problem() {
        return coming.problem();
    }
}

package dev.understudy.aggregator.http;

import dev.understudy.aggregator.http.stub.StubRequest;
import dev.understudy.aggregator.http.stub.Stubs;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import org.jspecify.annotations.Nullable;

/**
 * A request of any method for a stand-in, with its body. The reply is marked as one that no real server gave.
 */
public final class HttpStandinCall extends ForwardedCall {
    /** The header that says of a reply that a stand-in gave it. */
    static final String MARK = "understudy-standin";

    private HttpStandinCall(RequestHead head, byte[] body) {
        super(head, body);
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
    public HttpAnswer reply() {
        HttpAnswer answer = super.reply();
        ReplyHead marked = answer.head().with(MARK, "true");
        return new HttpAnswer(marked, answer.body(), answer.trailers(), answer.framing());
    }
}

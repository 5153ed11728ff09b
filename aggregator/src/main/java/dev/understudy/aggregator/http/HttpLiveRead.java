package dev.understudy.aggregator.http;

import dev.understudy.aggregator.http.stub.StubRequest;
import dev.understudy.aggregator.live.LiveRead;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.ByteBuffer;
import java.util.List;
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

    private final RequestHead head;
    private final ForwardedReply coming;

    private HttpLiveRead(RequestHead head) {
        this.head = head;
        this.coming = new ForwardedReply(head.method());
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
        return ForwardedRequest.encode(head, new byte[0]);
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
        return coming.answer();
    }

    @Override
    public String problem() {
        return coming.problem();
    }
}

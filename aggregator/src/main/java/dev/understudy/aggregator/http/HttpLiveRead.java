package dev.understudy.aggregator.http;

import dev.understudy.aggregator.http.stub.StubRequest;
import dev.understudy.divergence.wire.http.RequestHead;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request with a safe method (RFC 9110, section 9.2.1) for the real server. */
public final class HttpLiveRead extends ForwardedCall {
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    /** With them, servers take a safe method for another one. */
    private static final List<String> OVERRIDES =
            List.of("x-http-method-override", "x-http-method", "x-method-override");

    private HttpLiveRead(RequestHead head) {
        super(head, new byte[0]);
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
}

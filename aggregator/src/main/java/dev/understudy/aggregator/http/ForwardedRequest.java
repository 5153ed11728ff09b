package dev.understudy.aggregator.http;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.RequestHead;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A request of the debug JVM as a running server gets it: in HTTP/1.1, on a connection of its own. */
final class ForwardedRequest {
    /** They are for one connection, or say how the body came. */
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

    private ForwardedRequest() {}

    /** All its bytes, with the body's length if there is one, or was said to be. */
    static byte[] encode(RequestHead head, byte[] body) {
        Set<String> named = named(head);
        List<Header> sent = head.headers().stream()
                .filter(header -> !named.contains(lower(header.name())))
                .toList();
        RequestHead forwarded = new RequestHead(head.method(), head.target(), "HTTP/1.1", sent);
        boolean isCounted = body.length > 0
                || head.first("content-length") != null
                || !head.all("transfer-encoding").isEmpty();
        if (isCounted) {
            forwarded = forwarded.with("Content-Length", Integer.toString(body.length));
        }
        byte[] begun = forwarded.with("Connection", "close").encode();
        byte[] all = Arrays.copyOf(begun, begun.length + body.length);
        System.arraycopy(body, 0, all, begun.length, body.length);
        return all;
    }

    /** What isn't told on: what never is, and what the connection's header names (RFC 9110, section 7.6.1). */
    private static Set<String> named(RequestHead head) {
        Stream<String> its = head.all("connection").stream()
                .flatMap(value -> Arrays.stream(value.split(",", -1)))
                .map(name -> lower(name.strip()))
                .filter(name -> !name.equals("host"));
        return Stream.concat(LEFT_OUT.stream(), its).collect(Collectors.toUnmodifiableSet());
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}

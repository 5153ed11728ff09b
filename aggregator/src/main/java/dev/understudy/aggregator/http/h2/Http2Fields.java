package dev.understudy.aggregator.http.h2;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Heads and trailers as HTTP/2 tells them (RFC 9113, section 8.2), whatever version they were recorded by. */
final class Http2Fields {
    /** What is about a connection of HTTP/1.1 (RFC 9113, section 8.2.2). */
    private static final Set<String> CONNECTION_HEADERS =
            Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "http2-settings");

    private Http2Fields() {}

    static Http2Headers of(ReplyHead head) {
        Http2Headers headers = new DefaultHttp2Headers(false).status(Integer.toString(head.status()));
        Set<String> dropped = new HashSet<>(CONNECTION_HEADERS);
        for (String named : String.join(",", head.all("connection")).split(",", -1)) {
            dropped.add(named.strip().toLowerCase(Locale.ROOT));
        }
        return add(headers, head.headers(), dropped);
    }

    static Http2Headers of(List<Header> trailers) {
        return add(new DefaultHttp2Headers(false), trailers, CONNECTION_HEADERS);
    }

    private static Http2Headers add(Http2Headers headers, List<Header> list, Set<String> dropped) {
        for (Header header : list) {
            String name = header.name().toLowerCase(Locale.ROOT);
            if (!dropped.contains(name)) {
                headers.add(name, header.value());
            }
        }
        return headers;
    }
}

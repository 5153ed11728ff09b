package dev.understudy.aggregator.http.h2;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The heads of HTTP/2 as those of HTTP/1.1, and back (RFC 9113, sections 8.2 and 8.3), so that forms and replies are the same. */
final class Http2Heads {
    static final String VERSION = "HTTP/2";

    /** What is about a connection of HTTP/1.1 (RFC 9113, section 8.2.2). */
    private static final Set<String> CONNECTION_HEADERS =
            Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "http2-settings");

    private Http2Heads() {}

    /** The head of a request; null if it is none. */
    static @Nullable RequestHead request(Http2Headers headers) {
        CharSequence method = headers.method();
        CharSequence path = headers.path();
        if (method == null || path == null || headers.status() != null) {
            return null;
        }
        try {
            List<Header> list = new ArrayList<>();
            CharSequence authority = headers.authority();
            if (authority != null) {
                list.add(new Header("host", authority.toString()));
            }
            addTo(list, headers);
            return new RequestHead(method.toString(), path.toString(), VERSION, list);
        } catch (IllegalArgumentException unsafe) {
            return null;
        }
    }

    /** The head of a reply; null if it is none. */
    static @Nullable ReplyHead reply(Http2Headers headers) {
        CharSequence status = headers.status();
        if (status == null || !status.toString().matches("[1-9][0-9]{2}")) {
            return null;
        }
        try {
            List<Header> list = new ArrayList<>();
            addTo(list, headers);
            return new ReplyHead(VERSION, Integer.parseInt(status.toString()), "", list);
        } catch (IllegalArgumentException unsafe) {
            return null;
        }
    }

    /** Trailers; none if one of them isn't allowed. */
    static List<Header> trailers(Http2Headers headers) {
        try {
            List<Header> list = new ArrayList<>();
            addTo(list, headers);
            return list;
        } catch (IllegalArgumentException unsafe) {
            return List.of();
        }
    }

    private static void addTo(List<Header> list, Http2Headers headers) {
        for (Map.Entry<CharSequence, CharSequence> entry : headers) {
            if (entry.getKey().length() > 0 && entry.getKey().charAt(0) != ':') {
                list.add(new Header(entry.getKey().toString(), entry.getValue().toString()));
            }
        }
    }

    /** The head of a reply as HTTP/2 tells it. */
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

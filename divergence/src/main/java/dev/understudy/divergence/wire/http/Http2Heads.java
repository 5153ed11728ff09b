package dev.understudy.divergence.wire.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decoded fields of HTTP/2 as the heads that HTTP/1.1 has (RFC 9113, section 8.3): {@code :authority} is {@code host},
 * and a reason there is none. Never throws on what was sent.
 */
public final class Http2Heads {
    /** The version that such heads have. */
    public static final String VERSION = "HTTP/2";

    private Http2Heads() {}

    /** The head of a request; null if it is none. */
    public static @Nullable RequestHead request(Iterable<Map.Entry<CharSequence, CharSequence>> fields) {
        String method = pseudo(fields, ":method");
        String path = pseudo(fields, ":path");
        if (method == null || path == null || pseudo(fields, ":status") != null) {
            return null;
        }
        String authority = pseudo(fields, ":authority");
        List<Header> headers = new ArrayList<>();
        return (authority == null || add(headers, "host", authority)) && addAll(headers, fields)
                ? new RequestHead(method, path, VERSION, headers)
                : null;
    }

    /** The head of a reply; null if it is none. */
    public static @Nullable ReplyHead reply(Iterable<Map.Entry<CharSequence, CharSequence>> fields) {
        String status = pseudo(fields, ":status");
        List<Header> headers = new ArrayList<>();
        return status != null && status.matches("[1-9][0-9]{2}") && addAll(headers, fields)
                ? new ReplyHead(VERSION, Integer.parseInt(status), "", headers)
                : null;
    }

    /** Trailers; null if one of them isn't allowed. */
    public static @Nullable List<Header> trailers(Iterable<Map.Entry<CharSequence, CharSequence>> fields) {
        List<Header> headers = new ArrayList<>();
        return addAll(headers, fields) ? headers : null;
    }

    private static @Nullable String pseudo(Iterable<Map.Entry<CharSequence, CharSequence>> fields, String name) {
        for (Map.Entry<CharSequence, CharSequence> field : fields) {
            if (name.contentEquals(field.getKey())) {
                return field.getValue().toString();
            }
        }
        return null;
    }

    private static boolean addAll(List<Header> headers, Iterable<Map.Entry<CharSequence, CharSequence>> fields) {
        for (Map.Entry<CharSequence, CharSequence> field : fields) {
            String name = field.getKey().toString();
            if (!name.startsWith(":") && !add(headers, name, field.getValue().toString())) {
                return false;
            }
        }
        return true;
    }

    private static boolean add(List<Header> headers, String name, String value) {
        try {
            return headers.add(new Header(name, value));
        } catch (IllegalArgumentException unsafe) {
            return false;
        }
    }
}

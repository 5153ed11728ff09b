package dev.understudy.aggregator.http.stub;

import dev.understudy.divergence.wire.http.RequestHead;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as stubs look at it.
 *
 * @param body null if it was too long to be kept: no pattern for a body fits it then
 */
public record StubRequest(RequestHead head, byte @Nullable [] body) {

    /** Path and query, without the scheme and host of a request to a proxy. */
    String url() {
        String target = head.target();
        int scheme = target.indexOf("://");
        if (target.startsWith("/") || scheme < 0) {
            return target;
        }
        int path = target.indexOf('/', scheme + 3);
        return path < 0 ? "/" : target.substring(path);
    }

    String path() {
        String url = url();
        int query = url.indexOf('?');
        return query < 0 ? url : url.substring(0, query);
    }

    List<String> header(String name) {
        return head.all(name);
    }

    /** The values of a query parameter, decoded. */
    List<String> parameter(String name) {
        String url = url();
        int query = url.indexOf('?');
        List<String> values = new ArrayList<>();
        if (query >= 0) {
            for (String pair : url.substring(query + 1).split("&", -1)) {
                int equals = pair.indexOf('=');
                if (decoded(equals < 0 ? pair : pair.substring(0, equals)).equals(name)) {
                    values.add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
                }
            }
        }
        return values;
    }

    List<String> cookie(String name) {
        List<String> values = new ArrayList<>();
        for (String header : head.all("cookie")) {
            for (String pair : header.split(";", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
                    values.add(pair.substring(equals + 1).strip());
                }
            }
        }
        return values;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return text;
        }
    }
}

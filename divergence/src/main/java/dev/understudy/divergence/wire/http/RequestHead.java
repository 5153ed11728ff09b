package dev.understudy.divergence.wire.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request line and the headers of one HTTP/1.x request. Immutable.
 *
 * @param target the request target exactly as sent, e.g. {@code /orders/7?full=true}
 * @param version e.g. {@code HTTP/1.1}
 */
public record RequestHead(String method, String target, String version, List<Header> headers) {
    public RequestHead {
        headers = List.copyOf(headers);
    }

    /** The value of the first header of that name (in any case), or null if there is none. */
    public @Nullable String first(String name) {
        return HeaderList.first(headers, name);
    }

    /** The values of all headers of that name (in any case), in order. */
    public List<String> all(String name) {
        return HeaderList.all(headers, name);
    }

    /** This head with exactly one header of that name, in the place of the first one or at the end. */
    public RequestHead with(String name, String value) {
        return new RequestHead(method, target, version, HeaderList.with(headers, name, value));
    }

    /** This head without any header of that name. */
    public RequestHead without(String name) {
        return new RequestHead(method, target, version, HeaderList.without(headers, name));
    }

    /** The head as wire bytes, up to and including the empty line. */
    public byte[] encode() {
        return HeaderList.encode(method + " " + target + " " + version, headers);
    }
}

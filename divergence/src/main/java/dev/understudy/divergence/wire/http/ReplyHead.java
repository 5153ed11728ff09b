package dev.understudy.divergence.wire.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status line and the headers of one HTTP/1.x reply. Immutable.
 *
 * @param version e.g. {@code HTTP/1.1}
 * @param status 100 to 999
 * @param reason the reason phrase, often empty
 */
public record ReplyHead(String version, int status, String reason, List<Header> headers) {
    public ReplyHead {
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
    public ReplyHead with(String name, String value) {
        return new ReplyHead(version, status, reason, HeaderList.with(headers, name, value));
    }

    /** This head without any header of that name. */
    public ReplyHead without(String name) {
        return new ReplyHead(version, status, reason, HeaderList.without(headers, name));
    }

    /** The head as wire bytes, up to and including the empty line. */
    public byte[] encode() {
        return HeaderList.encode(version + " " + status + " " + reason, headers);
    }
}

package dev.understudy.relay.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The answer to one {@link Call}.
 *
 * @param status the HTTP status
 * @param contentType the body's type
 * @param body the body
 * @param headers further ones, in lower case
 */
public record Reply(int status, String contentType, byte[] body, Map<String, String> headers) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public Reply {
        headers = Map.copyOf(headers);
    }

    /** One without further headers. */
    public Reply(int status, String contentType, byte[] body) {
        this(status, contentType, body, Map.of());
    }

    /** The same with these headers besides. */
    public Reply with(Map<String, String> more) {
        return new Reply(status, contentType, body, more);
    }

    /** Answers 200 with a value as JSON: maps, lists, records, strings, numbers. */
    public static Reply json(Object value) {
        return new Reply(200, "application/json", bytes(value));
    }

    /** Answers with plain text. */
    public static Reply text(int status, String text) {
        return new Reply(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Answers with a problem document (RFC 9457). */
    public static Reply problem(int status, String title, String detail) {
        return new Reply(
                status, "application/problem+json", bytes(Map.of("status", status, "title", title, "detail", detail)));
    }

    static byte[] bytes(Object value) {
        try {
            return JSON.writeValueAsBytes(value);
        } catch (JsonProcessingException unwritable) {
            throw new IllegalStateException("not writable as JSON: " + value.getClass(), unwritable);
        }
    }
}

package dev.understudy.relay.control;

import dev.understudy.relay.control.access.Caller;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request to the control port, read in full.
 *
 * @param path the path without the query
 * @param query decoded query parameters
 * @param contentType the body's type, or {@code ""}
 * @param body the body; empty for GET
 * @param captures the parts of the path that stand where its route has a name in braces
 * @param caller who calls; null if nobody knows, where that doesn't matter
 * @param host as the caller has called this port, or {@code ""}
 */
public record Call(
        String path,
        Map<String, List<String>> query,
        String contentType,
        byte[] body,
        Map<String, String> captures,
        @Nullable Caller caller,
        String host) {
    /** A call of somebody unknown. */
    public Call(
            String path,
            Map<String, List<String>> query,
            String contentType,
            byte[] body,
            Map<String, String> captures) {
        this(path, query, contentType, body, captures, null, "");
    }

    /** A call of a path without such parts. */
    public Call(String path, Map<String, List<String>> query, String contentType, byte[] body) {
        this(path, query, contentType, body, Map.of());
    }

    Call capturing(Map<String, String> parts) {
        return new Call(path, query, contentType, body, parts, caller, host);
    }

    /** The part of the path that stands where the route has {@code {name}}. */
    public String captured(String name) {
        return Objects.requireNonNull(captures.get(name), name);
    }

    /** Returns a query parameter's first value. */
    public String parameter(String name, String otherwise) {
        List<String> values = query.getOrDefault(name, List.of());
        return values.isEmpty() ? otherwise : values.get(0);
    }

    /**
     * Returns a query parameter as a whole number.
     *
     * @throws IllegalArgumentException when it is not a number from {@code least} to {@code most}; the caller gets 400
     */
    public int number(String name, int otherwise, int least, int most) {
        String raw = parameter(name, String.valueOf(otherwise));
        try {
            int number = Integer.parseInt(raw);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException wrong) {
            // answered below, like a number out of range
        }
        throw new IllegalArgumentException(name + ": " + raw + " (expected: " + least + " to " + most + ")");
    }

    /**
     * Returns a query parameter as a whole number from 0 on, as large as it likes.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public long whole(String name, long otherwise) {
        String raw = parameter(name, "");
        try {
            long number = raw.isEmpty() ? otherwise : Long.parseLong(raw);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException wrong) {
            // answered below, like a negative one
        }
        throw new IllegalArgumentException(name + ": " + raw + " (expected: a whole number, not negative)");
    }
}

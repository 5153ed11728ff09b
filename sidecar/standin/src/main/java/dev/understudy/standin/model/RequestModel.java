package dev.understudy.standin.model;

import dev.understudy.standin.value.Quantiles;
import dev.understudy.standin.value.ValueModel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What requests of one route look like. Immutable.
 *
 * @param method such as {@code GET}
 * @param path with {@code {}} where parts differ: {@code /orders/{}}
 * @param parts what stands there, in order
 * @param query its parameters
 * @param contentType of its body; empty if it has none
 * @param size of its body, in bytes
 * @param body what its JSON looks like; null if it isn't JSON
 */
public record RequestModel(
        String method,
        String path,
        List<ValueModel> parts,
        List<QueryParameter> query,
        String contentType,
        Quantiles size,
        @Nullable ValueModel body) {
    /** Stands for a part of a path that differs from request to request. */
    public static final String PART = "{}";

    /**
     * A parameter of a query.
     *
     * @param share of the requests that have it, above 0 and up to 1
     */
    public record QueryParameter(String name, double share, ValueModel value) {}

    public RequestModel {
        if (!path.startsWith("/") || !method.matches("[A-Z]{1,20}")) {
            throw new IllegalArgumentException(
                    "\"" + method + " " + path + "\" (expected: a method and a path, such as GET /orders/{})");
        }
        int places = path.split("\\{\\}", -1).length - 1;
        if (places != parts.size()) {
            throw new IllegalArgumentException(
                    "parts: " + parts.size() + " (expected: " + places + ", as in " + path + ")");
        }
        parts = List.copyOf(parts);
        query = List.copyOf(query);
    }

    /** Method and path. */
    public String route() {
        return method + " " + path;
    }
}

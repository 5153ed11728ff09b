package dev.understudy.standin.trace;

import dev.understudy.divergence.content.Folding;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A span while it is read: its fields come in any order. Confined to the reading thread. */
final class SpanDraft {
    private static final int LONGEST = 2_000;

    /** The attributes that say what was asked, and whom. */
    private static final Set<String> KEPT = Set.of(
            "service.name",
            "http.request.method",
            "http.method",
            "http.route",
            "http.target",
            "http.url",
            "url.template",
            "url.path",
            "url.full",
            "db.system.name",
            "db.system",
            "db.type",
            "db.query.summary",
            "db.operation.name",
            "db.operation",
            "db.collection.name",
            "db.sql.table",
            "messaging.system",
            "messaging.destination.name",
            "messaging.destination",
            "peer.service",
            "server.address",
            "net.peer.name",
            "peer.hostname",
            "peer.address");

    String trace = "";
    String id = "";
    String parent = "";
    String name = "";
    SpanRole role = SpanRole.INTERNAL;
    /** The key of its process, where spans name one. */
    String process = "";
    /** In nanoseconds since 1970; -1 if it isn't known. */
    long start = -1;

    long end = -1;
    private final Map<String, String> attributes = new HashMap<>(4);

    /** Keeps an attribute if it can matter. */
    void attribute(String key, String value) {
        if (KEPT.contains(key) && !value.isBlank()) {
            attributes.put(key, Folding.shortened(value, LONGEST));
        }
    }

    /** The first of some attributes that it has; null if it has none of them. */
    @Nullable
    String first(String... keys) {
        for (String key : keys) {
            String value = attributes.get(key);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /** Whether it says which span it is, and when it was. */
    boolean isUsable() {
        return !trace.isEmpty() && !id.isEmpty() && start >= 0 && end >= 0;
    }
}

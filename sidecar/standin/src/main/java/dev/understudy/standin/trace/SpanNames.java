package dev.understudy.standin.trace;

import dev.understudy.divergence.content.Folding;
import org.jspecify.annotations.Nullable;

/** Says of a span what was asked and whom, by OpenTelemetry's conventions of today and before. */
final class SpanNames {
    static final int LONGEST = 200;

    private SpanNames() {}

    /** What was asked, such as {@code GET /orders/{n}} or {@code SELECT orders}; statements with values aren't used. */
    static String route(SpanDraft span) {
        String operation = span.role.isCalling() ? operation(span) : null;
        if (operation != null) {
            return Folding.shortened(operation, LONGEST);
        }
        String method = span.first("http.request.method", "http.method");
        String template = span.first("http.route", "url.template");
        if (template != null) {
            return Folding.shortened(together(method, template), LONGEST);
        }
        String path = path(span);
        String route = Folding.route(path != null && method != null ? together(method, path) : span.name);
        return route.isBlank() ? "(no name)" : route;
    }

    /** Who is asked; "" if it isn't known. */
    static String peer(SpanDraft span) {
        String service = span.first("peer.service");
        if (service != null) {
            return Folding.shortened(service, LONGEST);
        }
        String system = span.first("db.system.name", "db.system", "db.type", "messaging.system");
        String host = span.first("server.address", "net.peer.name", "peer.hostname", "peer.address");
        if (system != null) {
            return Folding.shortened(host == null ? system : system + " at " + host, LONGEST);
        }
        return host == null ? "" : Folding.shortened(host, LONGEST);
    }

    /** What the peer is. */
    static NodeKind peerKind(SpanDraft span) {
        if (span.first("db.system.name", "db.system", "db.type") != null) {
            return NodeKind.DATABASE;
        }
        boolean messages = span.role == SpanRole.PRODUCER || span.first("messaging.system") != null;
        return messages ? NodeKind.QUEUE : NodeKind.PEER;
    }

    private static @Nullable String operation(SpanDraft span) {
        String destination = span.first("messaging.destination.name", "messaging.destination");
        if (destination != null) {
            return Folding.route(destination);
        }
        String summary = span.first("db.query.summary");
        String operation = span.first("db.operation.name", "db.operation");
        String table = span.first("db.collection.name", "db.sql.table");
        if (summary != null || operation == null) {
            return summary;
        }
        return table == null ? operation : together(operation, table);
    }

    private static @Nullable String path(SpanDraft span) {
        String path = span.first("url.path", "http.target", "url.full", "http.url");
        int scheme = path == null ? -1 : path.indexOf("://");
        if (path == null || scheme < 0) {
            return path;
        }
        int slash = path.indexOf('/', scheme + 3);
        return slash < 0 ? "/" : path.substring(slash);
    }

    private static String together(@Nullable String first, String second) {
        return first == null ? second : first + ' ' + second;
    }
}

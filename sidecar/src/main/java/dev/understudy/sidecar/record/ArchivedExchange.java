package dev.understudy.sidecar.record;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One exchange on its way into an archive. Confined to the archive's thread. */
final class ArchivedExchange {
    /** What HAR 1.2 says of sizes that nobody knows. */
    static final long UNKNOWN = -1;

    final RequestHead request;
    final long begunNanos;
    long endedNanos;
    long requestHeadBytes = UNKNOWN;
    long requestBodyBytes;

    @Nullable
    ReplyHead reply;

    long replyHeadBytes = UNKNOWN;
    long replyBodyBytes;
    private final long connection;

    ArchivedExchange(long connection, RequestHead request, long begunNanos) {
        this.connection = connection;
        this.request = request;
        this.begunNanos = begunNanos;
        this.endedNanos = begunNanos;
    }

    /** @param started the moment of {@link #begunNanos} */
    Map<String, Object> entry(String started, Masking masking) {
        double millis = Math.max(0, endedNanos - begunNanos) / 1e6;
        String host = request.first("host");
        Map<String, Object> asked = Map.of(
                "method", request.method(),
                "url", "http://" + (host == null ? "unknown" : host) + masking.target(request.target()),
                "httpVersion", request.version(),
                "cookies", List.of(),
                "headers", headers(request.headers(), masking),
                "queryString", List.of(),
                "headersSize", requestHeadBytes,
                "bodySize", requestBodyBytes);
        return Map.of(
                "startedDateTime", started,
                "time", millis,
                "connection", String.valueOf(connection),
                "request", asked,
                "response", response(masking),
                "cache", Map.of(),
                "timings", Map.of("send", 0, "wait", millis, "receive", 0));
    }

    private Map<String, Object> response(Masking masking) {
        ReplyHead head = reply;
        String type = head == null ? null : head.first("content-type");
        return Map.of(
                "status",
                head == null ? 0 : head.status(),
                "statusText",
                head == null ? "" : head.reason(),
                "httpVersion",
                head == null ? "" : head.version(),
                "cookies",
                List.of(),
                "headers",
                head == null ? List.of() : headers(head.headers(), masking),
                "content",
                Map.of("size", replyBodyBytes, "mimeType", type == null ? "" : type),
                "redirectURL",
                "",
                "headersSize",
                replyHeadBytes,
                "bodySize",
                replyBodyBytes);
    }

    private static List<Map<String, String>> headers(List<Header> headers, Masking masking) {
        return headers.stream()
                .map(header -> Map.of("name", header.name(), "value", masking.header(header.name(), header.value())))
                .toList();
    }
}

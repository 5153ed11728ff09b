package dev.understudy.sidecar.trace;

import dev.understudy.divergence.compare.Verdict;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One exchange, ready to be written as a trace; secrets are masked already.
 *
 * @param parent a {@code traceparent} that the client itself sent, to which the trace is linked; null if none
 * @param system what the exchange is one of: {@code http}, or a kind of database
 * @param production production's part; null if it never answered
 * @param debug debug's part; null if the request was never delivered
 */
public record SpanRecording(
        TraceIds ids,
        @Nullable String parent,
        String listener,
        long connection,
        long exchange,
        String system,
        String method,
        String path,
        Verdict verdict,
        Part production,
        @Nullable Part debug) {

    /** The same with another verdict. */
    public SpanRecording as(Verdict other) {
        return new SpanRecording(
                ids, parent, listener, connection, exchange, system, method, path, other, production, debug);
    }

    /**
     * One side's part.
     *
     * @param status the HTTP status; 0 if there was no reply
     * @param replied when the reply began; null if it never did
     */
    public record Part(Instant begun, @Nullable Instant replied, Instant ended, int status) {}
}

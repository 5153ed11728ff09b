package dev.understudy.sidecar.trace;

import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.sdk.trace.IdGenerator;

/** Gives the next span the ids that were set for it by the same thread, since they were handed out long before. */
final class PresetIds implements IdGenerator {
    private final ThreadLocal<String> trace = ThreadLocal.withInitial(TraceId::getInvalid);
    private final ThreadLocal<String> span = ThreadLocal.withInitial(SpanId::getInvalid);

    void next(String traceId, String spanId) {
        trace.set(traceId);
        span.set(spanId);
    }

    @Override
    public String generateSpanId() {
        return span.get();
    }

    @Override
    public String generateTraceId() {
        return trace.get();
    }
}

package dev.understudy.agent.export;

import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.sdk.trace.IdGenerator;

/**
 * Gives each span the number its sample drew when the call began, since a child ends, and is exported, before its
 * parent. Confined to the exporting thread.
 */
final class AgentSpanIds implements IdGenerator {
    private long next;

    void next(long spanId) {
        next = spanId;
    }

    @Override
    public String generateSpanId() {
        return SpanId.fromLong(next);
    }

    @Override
    public String generateTraceId() {
        return IdGenerator.random().generateTraceId();
    }
}

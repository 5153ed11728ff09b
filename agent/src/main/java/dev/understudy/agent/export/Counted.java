package dev.understudy.agent.export;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the spans that an exporter is given, whatever becomes of them. For any threads, as the exporter is. */
final class Counted implements SpanExporter {
    private final SpanExporter exporter;
    private final AtomicLong spans;

    /** Adds them to {@code spans}. */
    Counted(SpanExporter exporter, AtomicLong spans) {
        this.exporter = exporter;
        this.spans = spans;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> batch) {
        spans.addAndGet(batch.size());
        return exporter.export(batch);
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}

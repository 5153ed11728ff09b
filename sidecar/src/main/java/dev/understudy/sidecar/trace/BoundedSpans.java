package dev.understudy.sidecar.trace;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A batch queue that never blocks: when {@code capacity} spans are on their way, further ones are dropped and counted.
 *
 * <p>The bound stands in front of the SDK's own queue, which drops without telling us. Safe for use by several threads.
 */
final class BoundedSpans implements SpanProcessor {
    private final int capacity;
    private final BatchSpanProcessor batch;
    private final AtomicLong underway = new AtomicLong();
    private final AtomicLong exported = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    BoundedSpans(SpanExporter exporter, int capacity, Duration pace) {
        this.capacity = capacity;
        this.batch = BatchSpanProcessor.builder(new Counting(exporter))
                .setMaxQueueSize(capacity)
                .setMaxExportBatchSize(Math.min(512, capacity))
                .setScheduleDelay(pace)
                .build();
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (underway.incrementAndGet() > capacity) {
            underway.decrementAndGet();
            dropped.incrementAndGet();
            return;
        }
        batch.onEnd(span);
    }

    /** Spans that the collector took. */
    long exported() {
        return exported.get();
    }

    /** Spans that found no room or that the collector didn't take. */
    long dropped() {
        return dropped.get();
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    @Override
    public CompletableResultCode shutdown() {
        return batch.shutdown();
    }

    @Override
    public CompletableResultCode forceFlush() {
        return batch.forceFlush();
    }

    /** Counts what became of the spans handed to {@code exporter}. */
    private final class Counting implements SpanExporter {
        private final SpanExporter exporter;

        Counting(SpanExporter exporter) {
            this.exporter = exporter;
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            int count = spans.size();
            CompletableResultCode result = exporter.export(spans);
            result.whenComplete(() -> {
                underway.addAndGet(-count);
                (result.isSuccess() ? exported : dropped).addAndGet(count);
            });
            return result;
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
}

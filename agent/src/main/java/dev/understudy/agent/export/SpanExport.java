package dev.understudy.agent.export;

import dev.understudy.agent.bootstrap.CallSample;
import dev.understudy.agent.bootstrap.Samples;
import dev.understudy.agent.bootstrap.ServedExchange;
import dev.understudy.agent.bootstrap.measure.Meter;
import dev.understudy.agent.bootstrap.measure.Reading;
import dev.understudy.agent.weave.Probe;
import dev.understudy.agent.weave.ProbeDirectory;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes spans of the sampled calls of traced exchanges: children of the exchange's debug span, nested as the calls
 * were. Confined to one thread.
 */
public final class SpanExport {
    private static final AttributeKey<String> FUNCTION = AttributeKey.stringKey("code.function.name");
    private static final AttributeKey<String> EXCEPTION = AttributeKey.stringKey("exception.type");
    private static final AttributeKey<Long> CPU = AttributeKey.longKey("understudy.cpu.nanos");
    private static final AttributeKey<Long> ALLOCATED = AttributeKey.longKey("understudy.allocated.bytes");
    private static final int QUEUE = 4096;
    private static final int AT_ONCE = 1000;

    private final ProbeDirectory directory;
    private final Supplier<List<String>> counters;
    private final AgentSpanIds ids = new AgentSpanIds();
    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private long epochMinusNanoTime;
    /** How many spans were made, and how many of them have left the processor's queue. */
    private long made;

    private final AtomicLong left = new AtomicLong();

    /**
     * Exports to {@code exporter} as the named service.
     *
     * @param counters the names of what is counted by now
     */
    public SpanExport(
            ProbeDirectory directory, String service, SpanExporter exporter, Supplier<List<String>> counters) {
        this.directory = directory;
        this.counters = counters;
        Resource resource = Resource.getDefault()
                .merge(Resource.create(Attributes.of(
                        AttributeKey.stringKey("service.name"),
                        service,
                        AttributeKey.stringKey("understudy.role"),
                        "debug",
                        AttributeKey.stringKey("process.pid"),
                        Long.toString(ProcessHandle.current().pid()))));
        this.provider = SdkTracerProvider.builder()
                .setIdGenerator(ids)
                .setResource(resource)
                .addSpanProcessor(BatchSpanProcessor.builder(new Counted(exporter, left))
                        .setMaxQueueSize(QUEUE)
                        .setScheduleDelay(500, TimeUnit.MILLISECONDS)
                        .build())
                .build();
        this.tracer = provider.get("dev.understudy.agent");
    }

    /**
     * Takes up to a thousand samples, the oldest first; the rest waits for the next call. No more than the processor
     * has room for, since it says nothing of what it drops: then they wait where what doesn't fit is counted.
     */
    public void drain() {
        Instant now = Instant.now();
        epochMinusNanoTime = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
        for (int i = 0; i < AT_ONCE && made - left.get() < QUEUE; i++) {
            CallSample sample = Samples.poll();
            if (sample == null) {
                return;
            }
            export(sample);
        }
    }

    /** Hands what is still queued to the exporter and waits for it, at most so long. */
    public void flush(long millis) {
        provider.forceFlush().join(millis, TimeUnit.MILLISECONDS);
    }

    private void export(CallSample sample) {
        ServedExchange exchange = sample.exchange;
        String trace = exchange == null ? null : exchange.traceId();
        if (exchange == null || trace == null) {
            return;
        }
        Probe probe = directory.probe(sample.probe);
        ids.next(sample.spanId);
        Span span = tracer.spanBuilder(name(probe))
                .setParent(Context.root().with(Span.wrap(parent(exchange, trace, sample.parent))))
                .setStartTimestamp(epochMinusNanoTime + sample.startNanos(), TimeUnit.NANOSECONDS)
                .setAttribute(FUNCTION, probe.className() + '.' + probe.method())
                .startSpan();
        Reading reading = sample.reading();
        if (reading != null) {
            attribute(span, CPU, reading.took(Meter.CPU));
            attribute(span, ALLOCATED, reading.took(Meter.ALLOCATED));
            List<String> counted = counters.get();
            for (int i = 0; i < counted.size(); i++) {
                attribute(
                        span,
                        AttributeKey.longKey("understudy.counter." + counted.get(i)),
                        reading.took(Meter.COUNTERS + i));
            }
        }
        String thrown = sample.thrown();
        if (thrown != null) {
            span.setStatus(StatusCode.ERROR).setAttribute(EXCEPTION, thrown);
        }
        made++;
        span.end(epochMinusNanoTime + sample.endNanos(), TimeUnit.NANOSECONDS);
    }

    private static void attribute(Span span, AttributeKey<Long> key, long took) {
        if (took >= 0) {
            span.setAttribute(key, took);
        }
    }

    private static SpanContext parent(ServedExchange exchange, String trace, @Nullable CallSample parent) {
        String span = parent == null ? exchange.key().span() : SpanId.fromLong(parent.spanId);
        return SpanContext.createFromRemoteParent(trace, span, TraceFlags.getSampled(), TraceState.getDefault());
    }

    private static String name(Probe probe) {
        String className = probe.className();
        return className.substring(className.lastIndexOf('.') + 1) + '.' + probe.method();
    }
}

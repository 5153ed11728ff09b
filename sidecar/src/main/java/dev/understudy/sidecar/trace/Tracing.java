package dev.understudy.sidecar.trace;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.VerdictKind;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Writes each exchange as three spans, with the ids drawn before and the times measured; never blocks. Thread-safe. */
public final class Tracing implements AutoCloseable {
    private static final int QUEUE = 8192;
    private static final Duration PACE = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<String> PATH = AttributeKey.stringKey("url.path");
    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("db.system.name");
    private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("db.operation.name");
    private static final AttributeKey<String> SUMMARY = AttributeKey.stringKey("db.query.summary");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");

    private final PresetIds ids = new PresetIds();
    private final BoundedSpans spans;
    private final SdkTracerProvider provider;
    private final Tracer tracer;

    Tracing(SpanExporter exporter, String service, int queue, Duration pace) {
        spans = new BoundedSpans(exporter, queue, pace);
        provider = SdkTracerProvider.builder()
                .setIdGenerator(ids)
                .setResource(Resource.getDefault()
                        .merge(Resource.builder().put("service.name", service).build()))
                .setSpanLimits(SpanLimits.builder().setMaxNumberOfEvents(64).build())
                .addSpanProcessor(spans)
                .build();
        tracer = provider.get("dev.understudy.sidecar");
    }

    /**
     * Exports to an OTLP/HTTP receiver.
     *
     * @param otlp its base address, such as {@code http://127.0.0.1:4318}
     */
    public static Tracing open(String service, String otlp) {
        String base = otlp.endsWith("/") ? otlp.substring(0, otlp.length() - 1) : otlp;
        SpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(base + "/v1/traces")
                .setTimeout(PATIENCE)
                .build();
        return new Tracing(exporter, service, QUEUE, PACE);
    }

    /** Writes one exchange. */
    public void record(SpanRecording recording) {
        Instant begun = recording.production().begun();
        Span root = start(
                tracer.spanBuilder("exchange").setNoParent(),
                recording,
                recording.ids().exchange(),
                begun);
        Context under = Context.root().with(root);
        SpanBuilder production =
                tracer.spanBuilder("production").setParent(under).setSpanKind(SpanKind.SERVER);
        Instant ended = end(production, recording, recording.ids().production(), recording.production(), false);
        SpanRecording.Part part = recording.debug();
        if (part != null) {
            SpanBuilder debug = tracer.spanBuilder("debug").setParent(under).setSpanKind(SpanKind.SERVER);
            Instant debugEnded = end(debug, recording, recording.ids().debug(), part, true);
            ended = debugEnded.isAfter(ended) ? debugEnded : ended;
        }
        root.setAllAttributes(facts(recording)).end(ended);
    }

    /** Spans that the collector took. */
    public long exported() {
        return spans.exported();
    }

    /** Spans that found no room in the queue or that the collector didn't take. */
    public long dropped() {
        return spans.dropped();
    }

    /** Exports what is queued, for three seconds at most. */
    @Override
    public void close() {
        provider.forceFlush().join(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        provider.shutdown().join(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Span start(SpanBuilder builder, SpanRecording recording, String span, Instant begun) {
        ids.next(recording.ids().trace(), span);
        SpanContext client = link(recording.parent());
        if (client != null) {
            builder.addLink(client);
        }
        return builder.setStartTimestamp(begun).startSpan();
    }

    private Instant end(
            SpanBuilder builder, SpanRecording recording, String id, SpanRecording.Part part, boolean debug) {
        ids.next(recording.ids().trace(), id);
        Span span = builder.setStartTimestamp(part.begun())
                .setAllAttributes(what(recording))
                .startSpan();
        if (part.status() > 0) {
            span.setAttribute(STATUS, (long) part.status());
        }
        if (part.replied() != null) {
            span.addEvent("reply begun", part.replied());
        }
        if (debug) {
            tellDifferences(span, recording, part.ended());
        }
        span.end(part.ended());
        return part.ended();
    }

    private static void tellDifferences(Span span, SpanRecording recording, Instant at) {
        for (Difference difference : recording.verdict().differences()) {
            if (difference.noise() == null) {
                AttributesBuilder facts = Attributes.builder()
                        .put("understudy.path", difference.path())
                        .put("understudy.difference", difference.type().name());
                put(facts, "understudy.production", difference.production());
                put(facts, "understudy.debug", difference.debug());
                span.addEvent("divergence", facts.build(), at);
            }
        }
        if (recording.verdict().kind() == VerdictKind.DIFFERENT) {
            span.setStatus(StatusCode.ERROR, "differs from production");
        } else if (recording.verdict().reason() != null) {
            span.setStatus(StatusCode.ERROR, recording.verdict().reason().name());
        }
    }

    /** As the semantic conventions have it, of HTTP and of databases. */
    private static Attributes what(SpanRecording recording) {
        if (recording.system().equals("http")) {
            return Attributes.of(METHOD, recording.method(), PATH, recording.path());
        }
        String summary = (recording.method() + " " + recording.path()).strip();
        return Attributes.of(SYSTEM, recording.system(), OPERATION, recording.method(), SUMMARY, summary);
    }

    private static Attributes facts(SpanRecording recording) {
        AttributesBuilder facts = Attributes.builder()
                .putAll(what(recording))
                .put("understudy.listener", recording.listener())
                .put("understudy.connection", recording.connection())
                .put("understudy.exchange", recording.exchange())
                .put("understudy.verdict", recording.verdict().kind().name());
        if (recording.verdict().reason() != null) {
            put(facts, "understudy.reason", recording.verdict().reason().name());
        }
        return facts.build();
    }

    private static void put(AttributesBuilder facts, String name, @Nullable String value) {
        if (value != null) {
            facts.put(name, value);
        }
    }

    /** The span a client's {@code traceparent} names (W3C Trace Context, version 00), or null if it is none. */
    private static @Nullable SpanContext link(@Nullable String parent) {
        if (parent == null || !parent.matches("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")) {
            return null;
        }
        SpanContext context = SpanContext.createFromRemoteParent(
                parent.substring(3, 35), parent.substring(36, 52), TraceFlags.getSampled(), TraceState.getDefault());
        return context.isValid() ? context : null;
    }
}

package dev.understudy.sidecar.trace;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TracingTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    private final Kept kept = new Kept();
    private final TraceIds ids = TraceIds.draw(new Random(1));

    @Test
    void exchange_isOneTraceOfThreeSpans_withTheIdsToldBefore() {
        try (Tracing tracing = new Tracing(kept, "test", 100, Duration.ofMillis(10))) {
            tracing.record(recording(different(), null));
        }

        SpanData root = kept.named("exchange");
        SpanData production = kept.named("production");
        SpanData debug = kept.named("debug");
        assertThat(kept.spans).hasSize(3).extracting(SpanData::getTraceId).containsOnly(ids.trace());
        assertThat(root.getSpanId()).isEqualTo(ids.exchange());
        assertThat(production.getSpanId()).isEqualTo(ids.production());
        assertThat(debug.getSpanId()).isEqualTo(ids.debug());
        assertThat(List.of(production, debug))
                .extracting(SpanData::getParentSpanId)
                .containsOnly(ids.exchange());
        assertThat(ids.traceparent()).isEqualTo("00-" + ids.trace() + "-" + ids.debug() + "-01");
        assertThat(root.getAttributes().get(AttributeKey.stringKey("understudy.verdict")))
                .isEqualTo("DIFFERENT");
    }

    @Test
    void times_areThoseMeasured() {
        try (Tracing tracing = new Tracing(kept, "test", 100, Duration.ofMillis(10))) {
            tracing.record(recording(Verdict.SAME, null));
        }

        assertThat(kept.named("production").getStartEpochNanos()).isEqualTo(nanos(0));
        assertThat(kept.named("production").getEndEpochNanos()).isEqualTo(nanos(5));
        assertThat(kept.named("debug").getStartEpochNanos()).isEqualTo(nanos(1));
        assertThat(kept.named("exchange").getEndEpochNanos()).isEqualTo(nanos(9));
    }

    @Test
    void differences_thatMatter_areEventsOfTheDebugSpan() {
        try (Tracing tracing = new Tracing(kept, "test", 100, Duration.ofMillis(10))) {
            tracing.record(recording(different(), null));
        }

        assertThat(kept.named("debug").getEvents())
                .filteredOn(event -> event.getName().equals("divergence"))
                .singleElement()
                .satisfies(event -> assertThat(event.getAttributes().get(AttributeKey.stringKey("understudy.path")))
                        .isEqualTo("body.total"));
    }

    @Test
    void trace_ofTheClientItself_isLinked() {
        String client = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        try (Tracing tracing = new Tracing(kept, "test", 100, Duration.ofMillis(10))) {
            tracing.record(recording(Verdict.SAME, client));
            tracing.record(recording(Verdict.SAME, "00-nonsense"));
        }

        List<SpanData> roots = kept.spans.stream()
                .filter(span -> span.getName().equals("exchange"))
                .toList();
        assertThat(roots.get(0).getLinks())
                .singleElement()
                .satisfies(
                        link -> assertThat(link.getSpanContext().getTraceId()).isEqualTo(client.substring(3, 35)));
        assertThat(roots.get(1).getLinks()).isEmpty();
    }

    @Test
    void spans_thatFindNoRoom_areDroppedAndCounted_andNothingBlocks() {
        kept.hangs = true;
        Tracing tracing = new Tracing(kept, "test", 30, Duration.ofMillis(10));
        for (int i = 0; i < 100; i++) {
            tracing.record(recording(Verdict.SAME, null));
        }

        assertThat(tracing.dropped()).isEqualTo(300 - 30);
        kept.release();
    }

    @Test
    void spans_thatTheCollectorRefuses_areCountedAsDropped() {
        kept.refuses = true;
        Tracing tracing = new Tracing(kept, "test", 30, Duration.ofMillis(10));
        tracing.record(recording(Verdict.SAME, null));
        tracing.close();

        assertThat(tracing.dropped()).isEqualTo(3);
        assertThat(tracing.exported()).isZero();
    }

    private SpanRecording recording(Verdict verdict, @Nullable String parent) {
        return new SpanRecording(
                ids,
                parent,
                "orders",
                7,
                42,
                "http",
                "GET",
                "/orders/7",
                verdict,
                new SpanRecording.Part(NOON, NOON.plusMillis(4), NOON.plusMillis(5), 200),
                new SpanRecording.Part(NOON.plusMillis(1), NOON.plusMillis(8), NOON.plusMillis(9), 200));
    }

    private static Verdict different() {
        return new Verdict(
                VerdictKind.DIFFERENT,
                null,
                List.of(
                        new Difference("body.total", Difference.Type.VALUE, "1", "2", null),
                        new Difference("header.Date", Difference.Type.VALUE, "a", "b", Noise.DATE_HEADER)));
    }

    private static long nanos(int millis) {
        return (NOON.toEpochMilli() + millis) * 1_000_000;
    }

    /** Keeps what is exported, or behaves like a collector that is down. */
    private static final class Kept implements SpanExporter {
        private final List<SpanData> spans = new CopyOnWriteArrayList<>();
        private final CompletableResultCode later = new CompletableResultCode();
        private volatile boolean hangs;
        private volatile boolean refuses;

        @Override
        public CompletableResultCode export(Collection<SpanData> exported) {
            spans.addAll(exported);
            return hangs ? later : refuses ? CompletableResultCode.ofFailure() : CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }

        void release() {
            later.succeed();
        }

        SpanData named(String name) {
            return spans.stream()
                    .filter(span -> span.getName().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }
}

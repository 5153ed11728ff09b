package dev.understudy.agent.export;

import dev.understudy.agent.bootstrap.Credit;
import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.bootstrap.Samples;
import dev.understudy.agent.bootstrap.measure.CountingMeter;
import dev.understudy.agent.bootstrap.measure.Meter;
import dev.understudy.agent.weave.Shapes;
import dev.understudy.agent.weave.WovenLoader;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class SpanExportTest {
    private static final String SHAPES = Shapes.class.getName();
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String DEBUG_SPAN = "00f067aa0ba902b7";

    private final List<SpanData> spans = new ArrayList<>();
    private final SpanExport export =
            new SpanExport(WovenLoader.DIRECTORY, "shapes-debug", new Collected(), () -> List.of("cycles"));

    @Test
    void sampledCalls_areSpansNestedAsTheCallsWere() throws Exception {
        Method recursive = woven("recursive");
        long before = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - 1_000);

        inExchange("00-" + TRACE + "-" + DEBUG_SPAN + "-01", () -> recursive.invoke(null, 3));

        assertThat(spans).hasSize(5).allSatisfy(span -> {
            assertThat(span.getTraceId()).isEqualTo(TRACE);
            assertThat(span.getName()).isEqualTo("Shapes.recursive");
            assertThat(span.getStartEpochNanos()).isBetween(before, span.getEndEpochNanos());
            assertThat(span.getResource().getAttributes().asMap().values()).contains("shapes-debug");
        });
        Map<String, SpanData> byId = spans.stream().collect(Collectors.toMap(SpanData::getSpanId, Function.identity()));
        assertThat(spans).extracting(span -> depth(span, byId)).containsExactly(3, 3, 2, 2, 1);
    }

    @Test
    void spansThatNobodyTakes_arentMade() throws Exception {
        Method recursive = woven("recursive");
        Samples.wanted(false);
        try {
            inExchange("00-" + TRACE + "-" + DEBUG_SPAN + "-01", () -> recursive.invoke(null, 3));
        } finally {
            Samples.wanted(true);
        }

        assertThat(spans).isEmpty();
    }

    @Test
    void whatACallWasMeasuredWith_isInItsSpan() throws Exception {
        Method recursive = woven("recursive");
        new CountingMeter().begin();
        Meter.allow(1, 0);
        try {
            inExchange("00-" + TRACE + "-" + DEBUG_SPAN + "-01", () -> recursive.invoke(null, 3));
        } finally {
            Meter.allow(0, 0);
        }

        assertThat(spans)
                .isNotEmpty()
                .allSatisfy(span -> assertThat(span.getAttributes().asMap().keySet())
                        .extracting(key -> key.getKey())
                        .contains("understudy.cpu.nanos", "understudy.counter.cycles")
                        .doesNotContain("understudy.allocated.bytes"));
    }

    @Test
    void aCallThatThrows_isASpanInError() throws Exception {
        Method thrower = woven("thrower");

        inExchange("00-" + TRACE + "-" + DEBUG_SPAN + "-01", () -> {
            try {
                thrower.invoke(null, 2);
            } catch (java.lang.reflect.InvocationTargetException expected) {
                assertThat(expected).hasCauseInstanceOf(IllegalStateException.class);
            }
        });

        assertThat(spans).singleElement().satisfies(span -> {
            assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
            assertThat(span.getParentSpanId()).isEqualTo(DEBUG_SPAN);
            assertThat(span.getAttributes().asMap().values())
                    .contains("java.lang.IllegalStateException", SHAPES + ".thrower");
        });
    }

    @Test
    void anUntracedExchange_hasNoSpans() throws Exception {
        Method recursive = woven("recursive");

        inExchange("00-" + TRACE + "-" + DEBUG_SPAN + "-00", () -> recursive.invoke(null, 3));

        assertThat(spans).isEmpty();
    }

    private static int depth(SpanData span, Map<String, SpanData> byId) {
        SpanData parent = byId.get(span.getParentSpanId());
        if (parent == null) {
            assertThat(span.getParentSpanId()).isEqualTo(DEBUG_SPAN);
            return 1;
        }
        return 1 + depth(parent, byId);
    }

    private static Method woven(String name) throws Exception {
        WovenLoader loader = new WovenLoader(any -> any.startsWith(SHAPES));
        Method method = loader.loadClass(SHAPES).getDeclaredMethod(name, int.class);
        method.setAccessible(true);
        for (int probe = 1; probe < WovenLoader.DIRECTORY.probes(); probe++) {
            Probes.arm(probe, 1);
        }
        Credit.set(1_000_000);
        return method;
    }

    private void inExchange(String traceparent, Work work) throws Exception {
        while (dev.understudy.agent.bootstrap.Samples.poll() != null) {
            // of other tests
        }
        Request request = new Request(traceparent);
        MethodHandle enter = dev.understudy.agent.bootstrap.ServedExchanges.link(
                        MethodHandles.lookup(),
                        "enter",
                        MethodType.methodType(Object.class, Object.class),
                        Request.class.getName(),
                        "headers.first")
                .dynamicInvoker();
        Object token;
        try {
            token = enter.invoke((Object) request);
        } catch (Throwable problem) {
            throw new AssertionError(problem);
        }
        assertThat(token).isNotNull();
        work.run();
        dev.understudy.agent.bootstrap.ServedExchanges.exit(token);
        export.drain();
        export.flush(60_000);
    }

    /** A request as some server might have it. */
    public static final class Request {
        private final String traceparent;

        Request(String traceparent) {
            this.traceparent = traceparent;
        }

        public Request headers() {
            return this;
        }

        public String first(String name) {
            return name.equals("traceparent") ? traceparent : "";
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private final class Collected implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> batch) {
            spans.addAll(batch);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }
}

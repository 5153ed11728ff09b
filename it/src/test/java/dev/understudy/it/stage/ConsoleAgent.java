package dev.understudy.it.stage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Says to the sidecar what an agent in the debug server would: it has none, since it isn't a JVM of its own. */
public final class ConsoleAgent {
    /** The number of what {@code shop.Tariff#price} stores. */
    private static final int TOTAL = 32_800;

    private final ConsoleStage stage;
    private final TeeStage at;
    private final List<String> spans;
    private final Map<String, String> traces;

    /**
     * One that has seen these requests.
     *
     * @param at the sidecar that it speaks to
     * @param spans of each request that it may tell of: the span, and the path
     * @param traces the {@code traceparent} of the newest request by its path
     */
    ConsoleAgent(ConsoleStage stage, TeeStage at, List<String> spans, Map<String, String> traces) {
        this.stage = stage;
        this.at = at;
        this.spans = spans;
        this.traces = traces;
    }

    /**
     * A method stored 4 to 7 at its line 4 in those that failed, and in no
     * others. The sidecar finds sources in the stage's folder.
     */
    public void observe() throws Exception {
        List<String> observed = new ArrayList<>();
        for (String span : spans) {
            String[] parts = span.split(" ", -1);
            observed.add("{\"span\":\"" + parts[0] + "\",\"whole\":true,\"held\":" + "[16,32,"
                    + (TOTAL * 16 + (parts[1].startsWith("/quotes") ? 5 : 6)) + "],\"calls\":[2,1]}");
        }
        HttpResponse<String> taken = stage.control(
                at,
                "/v1/observations",
                "{\"name\":\"orders\",\"methods\":{\"1\":\"shop.Shop#serve\",\"2\":\"shop.Tariff#price\"},"
                        + "\"values\":{\"" + TOTAL + "\":{\"method\":\"shop.Tariff#price\",\"line\":4,\"at\":\"store\","
                        + "\"kind\":\"number\",\"name\":\"total\",\"other\":\"\"}},"
                        + "\"exchanges\":[" + String.join(",", observed) + "]}");
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
    }

    /**
     * What an agent in the debug JVM would report: its methods, and how it stands with orders.
     *
     * @param revision up to which it follows them
     * @param problem what it says against one; "" for nothing
     */
    public void report(long revision, String problem) throws Exception {
        HttpResponse<String> taken = stage.control(
                at,
                "/v1/agent",
                "{\"name\":\"orders\",\"probes\":40,\"called\":2,\"methods\":["
                        + "{\"method\":\"shop.Tariff#price\",\"hitsPerSecond\":3,\"rate\":1,\"meanMicros\":7},"
                        + "{\"method\":\"shop.Shop#<b>serve\",\"hitsPerSecond\":9,\"ordered\":\"armed\"}],"
                        + "\"orders\":{\"revision\":" + revision + ",\"problems\":["
                        + (problem.isEmpty() ? "" : "\"" + problem + "\"") + "]}}");
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
    }

    /**
     * What an agent in the debug JVM would report that follows all orders but one for a patch.
     *
     * @param patch with which it runs; "" for none
     * @param problem what it says against the order for another one; "" for nothing
     */
    public void follow(String patch, String problem) throws Exception {
        HttpResponse<String> taken = stage.control(
                at,
                "/v1/agent",
                "{\"name\":\"orders\",\"budget\":0.02,\"budgetMax\":0.05,\"spent\":0.01,\"samplesPerSecond\":12,"
                        + "\"why\":\"for the <b>window\",\"patch\":\"" + patch + "\",\"orders\":{\"revision\":"
                        + orders().path("revision") + ",\"standing\":{\"patch\":\""
                        + (patch.isEmpty() ? "none" : patch + ": 1 classes changed, 0 not loaded yet")
                        + "\"},\"problems\":[" + (problem.isEmpty() ? "" : "\"" + problem + "\"") + "]}}");
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
    }

    /**
     * What an agent in the debug JVM would send of one request, {@code GET /health/sampled}: two stacks, and one
     * allocation.
     */
    public void sample() throws Exception {
        String names = "\"names\":[\"java.lang.Thread.run\",\"shop.Shop.serve\",\"shop.Tariff.<b>price\",\"byte[]\"]";
        stage.control(
                at, "/v1/stacks", "{" + names + ",\"stacks\":[]}"); // from now on ends of exchanges are remembered
        int before = spans.size();
        stage.get(at, "/health/sampled");
        // the copies of other requests may come only now
        String told = await("the copy's request")
                .atMost(Duration.ofMinutes(1))
                .until(
                        () -> spans.stream()
                                .skip(before)
                                .filter(span -> span.endsWith(" /health/sampled"))
                                .findFirst()
                                .orElse(""),
                        span -> !span.isEmpty());
        String of = "{\"span\":\"" + told.substring(0, told.indexOf(' ')) + "\",";
        HttpResponse<String> stacks = stage.control(
                at,
                "/v1/stacks",
                "{" + names + ",\"stacks\":[" + of + "\"frames\":[0,1,2]}," + of + "\"frames\":[0,1]}]}");
        assertThat(stacks.statusCode()).as(stacks.body()).isEqualTo(200);
        HttpResponse<String> allocations = stage.control(
                at,
                "/v1/allocations",
                "{\"name\":\"orders\",\"perSecond\":10,\"samples\":1,\"bytes\":4096,\"dropped\":0," + names
                        + ",\"stacks\":[" + of + "\"samples\":1,\"bytes\":4096,\"frames\":[0,1,3]}]}");
        assertThat(allocations.statusCode()).as(allocations.body()).isEqualTo(200);
    }

    /**
     * What an agent in the debug JVM would send of one request: a call within another, which throws.
     *
     * @param outer the other's class and method
     */
    public void trace(String path, String outer) {
        String[] parent = Objects.requireNonNull(traces.get(path), path).split("-", -1);
        SpanContext debug = SpanContext.createFromRemoteParent(
                parent[1], parent[2], TraceFlags.getSampled(), TraceState.getDefault());
        SpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(at.control() + "/otlp/v1/traces")
                .addHeader("Authorization", "Bearer " + ConsoleStage.TOKEN)
                .build();
        try (SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                .build()) {
            Tracer tracer = provider.get("stage");
            Span around = tracer.spanBuilder("serve")
                    .setParent(Context.root().with(Span.wrap(debug)))
                    .setAttribute("code.function.name", outer)
                    .startSpan();
            tracer.spanBuilder("Tariff.price")
                    .setParent(Context.root().with(around))
                    .setAttribute("code.function.name", "shop.Tariff.price")
                    .setAttribute("exception.type", "shop.NoTariff")
                    .startSpan()
                    .end();
            around.end();
            provider.forceFlush().join(1, TimeUnit.MINUTES);
        }
    }

    /**
     * What an agent in the debug JVM would do for a comparison that was asked for: it records the requests that the
     * sidecar sends, of which the first and the third fail.
     */
    public void compare() throws Exception {
        await("an order")
                .atMost(Duration.ofMinutes(1))
                .until(() -> orders().at("/orders/executions").isObject());
        JsonNode orders = orders();
        report(orders.path("revision").asInt(), "");
        List<String> runs = orders.at("/orders/executions/runs").findValuesAsText("trace");
        for (int run = 0; run < runs.size(); run++) {
            HttpResponse<String> taken = stage.control(at, "/v1/executions", execution(runs.get(run), run % 2 == 0));
            assertThat(taken.body()).isEqualTo("{\"taken\":2}");
        }
    }

    private JsonNode orders() throws Exception {
        return new ObjectMapper().readTree(stage.control(at, "/v1/orders", null).body());
    }

    private static String execution(String trace, boolean fails) {
        return "{\"name\":\"orders\",\"trace\":\"" + trace
                + "\",\"left\":0,\"methods\":[\"shop.Shop#serve\",\"shop.Tariff#<b>price\"],"
                + "\"threads\":[{\"name\":\"web\",\"events\":[[\"e\",0,\"Shop\"],[\"e\",1,\"Tariff\"],"
                + "[\"r\",1,\"" + (fails ? "Nothing{<i>0}" : "Price{n=1}") + "\"],[\"r\",0]]}]}";
    }
}

package dev.understudy.it.docs;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.aggregator.Aggregator;
import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.control.Metrics;
import dev.understudy.sidecar.Sidecar;
import dev.understudy.sidecar.config.SidecarConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A sidecar and an aggregator in this JVM, with all that has meters switched on, so that these can be listed. */
final class RunningPrograms implements AutoCloseable {
    private static final String TOKEN = "for-the-documents";
    private static final String AGENT = "understudy.agent.";
    private static final int DEEPEST = 3;

    /** Takes whatever they send to an aggregator or an OTLP receiver. */
    private final HttpServer receiver;

    private final Sidecar sidecar;
    private final Aggregator aggregator;

    private RunningPrograms(HttpServer receiver, Sidecar sidecar, Aggregator aggregator) {
        this.receiver = receiver;
        this.sidecar = sidecar;
        this.aggregator = aggregator;
    }

    /** @param folder for what they write */
    static RunningPrograms start(Path folder) throws Exception {
        HttpServer receiver = receiver();
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners: [{ name: shop, listen: "127.0.0.1:0", production: "127.0.0.1:1", debug: "127.0.0.1:2" }]
                window: { disk-directory: "%1$s/window", disk: 16MiB }
                record: { directory: "%1$s/recordings" }
                resync: { command: ["true"] }
                aggregator: { url: "http://127.0.0.1:%3$d" }
                telemetry: { otlp: "http://127.0.0.1:%3$d" }
                control: { listen: "127.0.0.1:0", token: %2$s }
                """.formatted(
                        folder, TOKEN, receiver.getAddress().getPort()));
        Path upstreams = Files.writeString(folder.resolve("aggregator.yaml"), """
                upstreams:
                  - name: pricing
                    protocol: http
                    production: { listen: "127.0.0.1:0", upstream: "127.0.0.1:1" }
                    debug: { listen: "127.0.0.1:0" }
                control: { listen: "127.0.0.1:0", token: %s }
                """.formatted(TOKEN));
        Problems problems = new Problems();
        Sidecar sidecar =
                Sidecar.start(SidecarConfig.read(settings, new Overrides(Map.of(), List.of(), problems), problems));
        RunningPrograms programs = new RunningPrograms(
                receiver, sidecar, Aggregator.open(AggregatorConfig.read(upstreams, Map.of(), List.of())));
        programs.reportAsAnAgent();
        registerThoseOfTheRings(programs.registry(sidecar));
        return programs;
    }

    private static HttpServer receiver() throws IOException {
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.getResponseHeaders().set("content-type", "application/json");
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write("{}".getBytes(StandardCharsets.US_ASCII));
            }
        });
        receiver.start();
        return receiver;
    }

    /** The generated parts {@code meters …}. */
    Map<String, Part> parts() {
        Map<String, Part> parts = new LinkedHashMap<>();
        parts.put("meters sidecar", MeterTables.of(registry(sidecar), AGENT, true));
        parts.put("meters agent", MeterTables.of(registry(sidecar), AGENT, false));
        parts.put("meters aggregator", MeterTables.of(registry(aggregator), "understudy.aggregator.", false));
        parts.putAll(MeterTables.tagParts(registry(aggregator)));
        parts.putAll(MeterTables.tagParts(registry(sidecar)));
        return parts;
    }

    /** What Prometheus gets from the sidecar's control port and from the aggregator's, one after the other. */
    String scrape() throws IOException, InterruptedException {
        return scrape(sidecar.controlAddress()) + scrape(aggregator.controlAddress());
    }

    private static String scrape(InetSocketAddress control) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + control.getPort() + "/metrics");
        HttpRequest get = HttpRequest.newBuilder(uri)
                .header("authorization", "Bearer " + TOKEN)
                .build();
        return HttpClient.newHttpClient().send(get, BodyHandlers.ofString()).body();
    }

    private void reportAsAnAgent() throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + sidecar.controlAddress().getPort() + "/v1/agent");
        String report = "{\"name\":\"a\",\"methods\":[{\"method\":\"a.B#c\",\"ordered\":\"armed\",\"hits\":1}]}";
        HttpRequest post = HttpRequest.newBuilder(uri)
                .header("authorization", "Bearer " + TOKEN)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(report))
                .build();
        int status =
                HttpClient.newHttpClient().send(post, BodyHandlers.ofString()).statusCode();
        if (status != 200) {
            throw new IllegalStateException("an agent's report is answered " + status);
        }
    }

    /** With rings, relay and lanes are two processes: their meters are registered without anything that they count. */
    private static void registerThoseOfTheRings(MeterRegistry registry) throws ReflectiveOperationException {
        for (Method method :
                Class.forName("dev.understudy.relay.split.TapMeters").getDeclaredMethods()) {
            Class<?>[] types = method.getParameterTypes();
            if (method.getName().equals("register")) {
                method.setAccessible(true);
                method.invoke(
                        null,
                        types.length == 3
                                ? new @Nullable Object[] {registry, "shop", null}
                                : new @Nullable Object[] {registry, null});
            }
        }
    }

    private MeterRegistry registry(Object program) {
        try {
            return Objects.requireNonNull(metrics(program, DEEPEST)).registry();
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Looks for what keeps the meters in an object and in the objects of ours that it holds. */
    private static @Nullable Metrics metrics(Object holder, int deep) throws IllegalAccessException {
        for (Field field : holder.getClass().getDeclaredFields()) {
            if (field.getType().getName().startsWith("dev.understudy.")
                    && !field.getType().isEnum()) {
                field.setAccessible(true);
                Object held = field.get(holder);
                Metrics found = held instanceof Metrics metrics
                        ? metrics
                        : held == null || deep == 0 ? null : metrics(held, deep - 1);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    @Override
    public void close() {
        sidecar.close(Duration.ZERO);
        aggregator.close();
        receiver.stop(0);
    }
}

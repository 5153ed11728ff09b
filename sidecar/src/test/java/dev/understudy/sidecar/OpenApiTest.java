package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.relay.OpenApi;
import dev.understudy.relay.control.ControlConfig;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.config.TelemetryConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The OpenAPI document against the running server, both ways. */
final class OpenApiTest {
    /** What is answered only with an aggregator, or with sources. */
    private static final Set<String> ELSEWHERE = Set.of("/v1/faults", "/v1/source");

    private HttpService production;
    private HttpService debug;
    private Stage stage;
    private OpenApi api;

    @BeforeEach
    void open() throws Exception {
        production = HttpService.saying("{\"n\":1}");
        debug = HttpService.answering((asked, exchange) ->
                HttpService.reply(exchange, 200, asked.target().equals("/different") ? "{\"n\":2}" : "{\"n\":1}"));
        stage = Stage.open(production.address(), debug.address());
        api = new OpenApi(stage.control("/v1/openapi.json"));
    }

    @AfterEach
    void close() {
        stage.close();
        debug.close();
        production.close();
    }

    @Test
    void everyRoute_isInTheDocument_andNothingElse() {
        assertThat(api.routes()).isEqualTo(stage.sidecar.answered());
    }

    @Test
    void everyDocument_fitsItsSchema_whateverTheStateIs() throws Exception {
        assertDocumentsFit();
        stage.get("/same");
        stage.get("/different");
        stage.awaitStatus("verdicts", s -> Stage.total(s) == 2);
        assertDocumentsFit();
        put("/v1/listeners/orders/tee", "{\"mode\":\"paused\"}");
        stage.get("/given-up");
        stage.awaitStatus("production", s -> s.at("/exchanges/production").asInt() == 3);
        assertDocumentsFit();
        put("/v1/listeners/orders/tee", "{\"mode\":\"off\"}");
        stage.awaitStatus("losses", s -> Stage.total(s) == 3);
        assertThat(stage.status().get("losses")).isNotEmpty();
        assertDocumentsFit();
        put("/v1/listeners/orders/tee", "{\"mode\":\"on\"}");
        stage.get("/joined");
        assertDocumentsFit();
    }

    @Test
    void everyProblem_fitsItsSchema() throws Exception {
        for (String path :
                List.of("/nowhere", "/v1/verdicts?kind=ODD", "/v1/listeners/nobody/tee", "/otlp/v1/traces")) {
            HttpResponse<String> refused = stage.controlText(path);
            assertThat(refused.statusCode()).as(path).isBetween(400, 499);
            api.assertFits("/components/schemas/Problem", refused.body(), path);
        }
        api.assertFits(
                "/components/schemas/Problem",
                put("/v1/listeners/orders/tee", "{\"mode\":\"odd\"}").body(),
                "a wrong mode");
    }

    @Test
    void whatIsSent_isAnsweredAsTheDocumentSays() throws Exception {
        String answer = "/responses/200/content/application~1json/schema";
        String turned = put("/v1/listeners/orders/tee", "{\"mode\":\"paused\"}").body();
        api.assertFits("/components/responses/Tee/content/application~1json/schema", turned, "the switch");
        api.assertFits(
                "/components/responses/Resync/content/application~1json/schema",
                stage.controlText("/v1/resync").body(),
                "the epochs");
        String sampled = put("/v1/listeners/orders/tee", "{\"sample\":{\"connections\":\"0.07%\"}}")
                .body();
        api.assertFits("/components/responses/Tee/content/application~1json/schema", sampled, "the sample");
        api.assertFits("/paths/~1v1~1agent/post" + answer, post("/v1/agent", "{\"name\":\"a\"}"), "a report");
        api.assertFits(
                "/paths/~1v1~1agent/get" + answer,
                stage.controlText("/v1/agent").body(),
                "all reports");
        api.assertFits(
                "/paths/~1v1~1orders~1points/post" + answer,
                post("/v1/orders/points", "{\"method\":\"a.B#c\",\"snapshot\":true,\"at\":\"line:3\"}"),
                "a point");
        String hits = "{\"name\":\"a\",\"points\":[{\"id\":\"p1\",\"passed\":1}],"
                + "\"hits\":[{\"point\":\"p1\",\"values\":{\"x\":\"1\"},\"stack\":[\"f\"]}]}";
        api.assertFits("/paths/~1v1~1hits/post" + answer, post("/v1/hits", hits), "hits");
        for (String path : List.of("/v1/orders/points", "/v1/hits")) {
            String told = stage.controlText(path).body();
            assertThat(told).contains("\"p1\"");
            api.assertFits("/paths/" + path.replace("/", "~1") + "/get" + answer, told, path);
        }
        String allocations =
                "{\"name\":\"a\",\"perSecond\":1,\"samples\":2,\"bytes\":3,\"dropped\":0,\"names\":[\"m\"],"
                        + "\"stacks\":[{\"exchange\":\"none\",\"samples\":2,\"bytes\":3,\"frames\":[0]}]}";
        api.assertFits("/paths/~1v1~1allocations/post" + answer, post("/v1/allocations", allocations), "allocations");
        api.assertFits(
                "/components/schemas/Allocations",
                stage.controlText("/v1/allocations").body(),
                "all allocations");
        api.assertFits("/paths/~1otlp~1v1~1traces/post" + answer, post("/otlp/v1/traces", "{}"), "spans");
    }

    @Test
    void events_fitTheirSchema() throws Exception {
        HttpResponse<InputStream> stream = stage.client.send(
                HttpRequest.newBuilder(stage.controlUri("/v1/window")).build(), BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            assertThat(line).startsWith("data: ");
            api.assertFits("/components/schemas/FollowedWindow", line.substring(6), "an event");
        }
    }

    @Test
    void happenings_fitTheirSchema() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(stage.controlUri("/v1/events"))
                .header("Last-Event-ID", "?")
                .build();
        HttpResponse<InputStream> stream = stage.client.send(request, BodyHandlers.ofInputStream());
        stage.get("/different");
        stage.awaitVerdicts("DIFFERENT", 1);
        put("/v1/listeners/orders/tee", "{\"mode\":\"paused\"}");
        stage.get("/kept");
        stage.awaitStatus("production", s -> s.at("/exchanges/production").asInt() == 2);
        put("/v1/listeners/orders/tee", "{\"mode\":\"off\"}");
        Set<String> awaited = new TreeSet<>(Set.of("missed", "window", "debug", "divergence", "tee", "order", "loss"));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            for (String name = ""; !awaited.isEmpty(); ) {
                String line = lines.readLine();
                assertThat(line).as("awaiting " + awaited).isNotNull();
                if (line.startsWith("event: ")) {
                    name = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    String event = "{\"event\":\"" + name + "\",\"data\":" + line.substring(6) + "}";
                    api.assertFits("/components/schemas/Event", event, name);
                    awaited.remove(name);
                }
            }
        }
    }

    @Test
    void reasons_areAllInTheDocument() {
        assertThat(api.words("NotCompared")).isEqualTo(OpenApi.names(NotCompared.values()));
        Set<String> losses = OpenApi.names(LossReason.values());
        losses.remove(LossReason.NONE.name());
        assertThat(api.words("LossReason")).isEqualTo(losses);
    }

    @Test
    void token_isNeededForEverythingButHealth() throws Exception {
        ControlConfig control =
                new ControlConfig(InetSocketAddress.createUnresolved("127.0.0.1", 0), AccessConfig.of("break a leg"));
        ListenerConfig listener = Stage.listener(
                production.address(), debug.address(), ListenerConfig.Framing.HTTP, ListenerConfig.Order.CAUSAL);
        try (Sidecar guarded = Sidecar.start(new SidecarConfig(
                List.of(listener),
                Stage.WINDOW,
                1 << 20,
                control,
                new TelemetryConfig("", "test", false, ""),
                Duration.ZERO))) {
            String base = "http://127.0.0.1:" + guarded.controlAddress().getPort();
            for (Map.Entry<String, Set<String>> path : guarded.answered().entrySet()) {
                for (String method : path.getValue()) {
                    URI uri = URI.create(base
                            + path.getKey()
                                    .replace("{name}", "orders")
                                    .replace("{file}", "main.js")
                                    .replace("{exchange}", "1"));
                    HttpRequest request = HttpRequest.newBuilder(uri)
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build();
                    HttpResponse<String> reply = stage.client.send(request, BodyHandlers.ofString());
                    assertThat(reply.statusCode())
                            .as(method + " " + path.getKey())
                            .isEqualTo(open(path.getKey(), method));
                    if (reply.statusCode() == 401) {
                        api.assertFits("/components/schemas/Problem", reply.body(), path.getKey());
                    }
                }
            }
        }
        assertThat(api.document.at("/components/securitySchemes/token/scheme").asText())
                .isEqualTo("bearer");
        assertThat(api.document.at("/paths/~1healthz/get/security").toString()).isEqualTo("[{}]");
    }

    /** Without a token: health, the console's files, and signing in and out, which needs JSON or changes nothing. */
    private static int open(String path, String method) {
        if (path.equals("/v1/console/session") && !method.equals("GET")) {
            return method.equals("DELETE") ? 200 : 415;
        }
        return path.equals("/healthz") || path.equals("/") || path.startsWith("/console/") ? 200 : 401;
    }

    @Test
    void exchange_fitsItsSchema() throws Exception {
        stage.get("/same");
        stage.get("/different");
        stage.awaitStatus("verdicts", s -> Stage.total(s) == 2);
        for (JsonNode row : stage.control("/v1/exchanges").get("exchanges")) {
            String one =
                    stage.controlText("/v1/exchanges/" + row.get("exchange")).body();
            assertThat(one).contains("\"productionStatus\":200");
            api.assertFits("/components/schemas/ExchangeDetails", one, "an exchange");
        }
    }

    @Test
    void consoleStream_fitsItsSchema() throws Exception {
        HttpResponse<InputStream> stream = stage.client.send(
                HttpRequest.newBuilder(stage.controlUri("/v1/console/now")).build(), BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            assertThat(line).startsWith("data: ");
            api.assertFits("/components/schemas/ConsoleNow", line.substring(6), "an event");
        }
    }

    @Test
    void yaml_isTheSameDocument() {
        assertThat(stage.controlText("/v1/openapi.yaml").body()).startsWith("openapi: 3.1.0\n");
        assertThat(api.document.get("openapi").asText()).isEqualTo("3.1.0");
    }

    /** Asks for every JSON document that the OpenAPI document knows, and holds it against its schema. */
    private void assertDocumentsFit() throws IOException {
        int documents = 0;
        for (Map.Entry<String, JsonNode> path : api.document.get("paths").properties()) {
            String pointer = "/paths/" + path.getKey().replace("/", "~1") + "/get/responses/200";
            JsonNode response = api.document.at(pointer);
            if (response.has("$ref")) {
                pointer = response.get("$ref").asText().substring(1);
            }
            pointer += "/content/application~1json/schema";
            boolean isThere = !path.getKey().contains("{exchange}") && !ELSEWHERE.contains(path.getKey());
            if (!api.document.at(pointer).isMissingNode() && isThere) {
                String asked = path.getKey().replace("{name}", "orders");
                HttpResponse<String> reply = stage.controlText(asked);
                assertThat(reply.statusCode()).as(asked).isEqualTo(200);
                api.assertFits(pointer, reply.body(), asked);
                documents++;
            }
        }
        assertThat(documents).isGreaterThan(5);
    }

    private HttpResponse<String> put(String path, String json) throws Exception {
        return stage.client.send(
                HttpRequest.newBuilder(stage.controlUri(path))
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                BodyHandlers.ofString());
    }

    private String post(String path, String json) throws Exception {
        return stage.client
                .send(
                        HttpRequest.newBuilder(stage.controlUri(path))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(json))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }
}

package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.sidecar.config.ListenerConfig;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** The control port as agents, people and scrapers use it. */
final class ControlApiTest {
    private HttpService production;
    private HttpService debug;
    private HttpService receiver;
    private Stage stage;

    @BeforeEach
    void open() throws Exception {
        production = HttpService.saying("{\"n\":1}");
        debug = HttpService.saying("{\"n\":2}");
        receiver = HttpService.answering((asked, exchange) -> exchange.sendResponseHeaders(200, -1));
        String otlp = "http://127.0.0.1:" + receiver.address().getPort();
        stage = Stage.open(production.address(), debug.address(), Stage.WINDOW, ListenerConfig.Framing.HTTP, otlp);
    }

    @AfterEach
    void close() {
        stage.close();
        receiver.close();
        debug.close();
        production.close();
    }

    @Test
    void status_hasEverythingOthersRelyOn() throws Exception {
        stage.get("/a");
        stage.awaitVerdicts("DIFFERENT", 1);

        JsonNode status = stage.control("/v1/status");
        JsonNode listener = status.get("listeners").get(0);
        for (String path : new String[] {
            "/name",
            "/address",
            "/connections/opened",
            "/connections/open",
            "/bytes/request",
            "/bytes/reply",
            "/bytes/teed",
            "/exchanges/production",
            "/exchanges/debug",
            "/latencyMillis/production/p50",
            "/latencyMillis/debug/p99",
            "/latencyMillis/debug/max",
            "/verdicts/SAME",
            "/verdicts/EQUIVALENT",
            "/verdicts/DIFFERENT",
            "/verdicts/NOT_COMPARED",
            "/notCompared",
            "/losses",
            "/lanes/open",
            "/lanes/connected",
            "/lanes/unreachable",
            "/fidelity"
        }) {
            assertThat(listener.at(path).isMissingNode()).as(path).isFalse();
        }
        assertThat(listener.at("/bytes/teed")).isEqualTo(listener.at("/bytes/request"));
        for (String name : new String[] {
            "at",
            "utilisation",
            "occupancyBytes",
            "capacityBytes",
            "lagMillis",
            "pending",
            "arrivalRate",
            "serviceRate",
            "estimate",
            "peakBytes",
            "peakLagMillis",
            "peakUtilisation"
        }) {
            assertThat(status.get("window").has(name)).as(name).isTrue();
        }
    }

    @Test
    void fidelity_isThatOfEachListener_andOfEachOpenConnection() throws Exception {
        stage.get("/a");
        stage.get("/b");
        stage.awaitVerdicts("DIFFERENT", 2);

        JsonNode listener = stage.control("/v1/fidelity").get("listeners").get(0);
        assertThat(listener.get("statement").asText()).isEqualTo("faithful: 2 of 2 exchanges");
        assertThat(listener.get("arrived").asInt()).isEqualTo(2);
        assertThat(listener.get("faithfulUpTo").isNull()).isTrue();
        assertThat(listener.get("open").asInt()).isEqualTo(1);
        JsonNode connection = listener.get("connections").get(0);
        assertThat(connection.get("statement").asText()).isEqualTo("faithful: 2 of 2 exchanges");
        assertThat(connection.get("client").asText()).startsWith("127.0.0.1:");
        assertThat(stage.control("/v1/fidelity?connections=0").at("/listeners/0/connections"))
                .isEmpty();
        assertThat(stage.controlText("/metrics").body())
                .contains("understudy_exchanges_arrived_total{listener=\"orders\"} 2.0")
                .contains("understudy_exchanges_delivered{listener=\"orders\"} 2.0");
    }

    @Test
    void window_isStreamed() throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(stage.controlUri("/v1/window")).build();
        HttpResponse<java.io.InputStream> stream = stage.client.send(request, BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            long at = 0;
            for (int events = 0; events < 3; ) {
                String line = lines.readLine();
                if (line.startsWith("data: ")) {
                    JsonNode event = new ObjectMapper().readTree(line.substring(6));
                    assertThat(event.get("at").asLong()).isGreaterThanOrEqualTo(at);
                    assertThat(event.get("estimate").asText()).isEqualTo("not in sight");
                    assertThat(event.get("orders").asLong(-1)).isZero();
                    at = event.get("at").asLong();
                    events++;
                }
            }
        }
    }

    @Test
    void verdicts_ofAnUnknownKind_areABadRequest() {
        HttpResponse<String> wrong = stage.controlText("/v1/verdicts?kind=ODD");

        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("expected: one of");
        assertThat(stage.controlText("/v1/verdicts?limit=0").statusCode()).isEqualTo(400);
    }

    @Test
    void orders_tellHowFarEachAgentIs_alsoOneThatKnowsOfNone() throws Exception {
        post("/v1/agent", "{\"name\":\"old\"}");
        post(
                "/v1/agent",
                "{\"name\":\"new\",\"orders\":{\"revision\":0,\"standing\":{\"dim\":\"to 3\"},\"problems\":[\"dim: "
                        + "x".repeat(1000) + "\"]}}");

        JsonNode orders = stage.control("/v1/orders");
        assertThat(orders.path("revision").asInt(-1)).isZero();
        assertThat(orders.path("orders").toString()).isEqualTo("{}");
        assertThat(orders.at("/agents/0").toString())
                .isEqualTo("{\"name\":\"old\",\"revision\":-1,\"standing\":{},\"problems\":[]}");
        assertThat(orders.at("/agents/1/standing/dim").asText()).isEqualTo("to 3");
        assertThat(orders.at("/agents/1/problems/0").asText())
                .startsWith("dim: xxx")
                .hasSizeLessThan(600);
        assertThat(stage.control("/v1/status").path("orders").path("agents")).isEqualTo(orders.path("agents"));
    }

    @Test
    void reports_ofAgents_areKept() throws Exception {
        assertThat(post("/v1/agent", "{\"name\":\"a\",\"nu\":1}").statusCode()).isEqualTo(200);
        assertThat(post("/v1/agent", "{\"name\":\"a\",\"nu\":2}").statusCode()).isEqualTo(200);
        assertThat(post("/v1/agent", "[]").statusCode()).isEqualTo(400);
        assertThat(post("/v1/agent", "{nonsense").statusCode()).isEqualTo(400);
        assertThat(post("/v1/agent", "{}").statusCode()).isEqualTo(400);

        JsonNode agents = stage.control("/v1/agent").get("agents");
        assertThat(agents).hasSize(1);
        assertThat(agents.get(0).get("nu").asInt()).isEqualTo(2);
    }

    @Test
    void telemetry_ofTheDebugJvm_isPassedOn() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(stage.controlUri("/otlp/v1/traces"))
                .header("Content-Type", "application/x-protobuf")
                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[] {1, 2, 3}))
                .build();
        assertThat(stage.client.send(request, BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);

        await().until(() -> receiver.asked.stream()
                .anyMatch(asked -> asked.target().equals("/v1/traces") && asked.body().length == 3));
    }

    @Test
    void spans_ofExchanges_areExported() throws Exception {
        stage.get("/traced");
        await().until(() -> receiver.asked.stream()
                .anyMatch(asked -> asked.target().equals("/v1/traces")
                        && asked.text().contains("divergence")
                        && asked.text().contains("/traced")));
    }

    @Test
    void metrics_nameVerdictsAndWindow() throws Exception {
        stage.get("/a");
        stage.awaitVerdicts("DIFFERENT", 1);

        String metrics = stage.controlText("/metrics").body();
        assertThat(metrics)
                .contains("understudy_verdicts_total{kind=\"different\",listener=\"orders\"} 1.0")
                .contains("understudy_replies_within_total{le=\"+Inf\",listener=\"orders\",side=\"production\"} 1.0")
                .contains("understudy_window_utilisation")
                .contains("understudy_order_overtaken_total")
                .contains("understudy_spans_total{outcome=\"dropped\"}");
        assertThat(stage.controlText("/healthz").body()).isEqualTo("ok\n");
    }

    private HttpResponse<String> post(String path, String json) throws Exception {
        URI uri = stage.controlUri(path);
        return stage.client.send(
                HttpRequest.newBuilder(uri)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                BodyHandlers.ofString());
    }
}

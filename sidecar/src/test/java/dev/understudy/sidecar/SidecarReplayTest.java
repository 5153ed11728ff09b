package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.OpenApi;
import dev.understudy.sidecar.config.WindowConfig;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** One exchange's request, sent to the debug JVM once more. */
final class SidecarReplayTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final WindowConfig WINDOW = new WindowConfig(
            16L << 20, 256L << 20, Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofSeconds(60));

    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile boolean isMended;
    private volatile boolean stands;
    private HttpService production;
    private HttpService debug;
    private Stage stage;

    @BeforeEach
    void open() throws Exception {
        production = HttpService.answering((asked, exchange) -> HttpService.reply(exchange, 200, answer(asked, 17)));
        debug = HttpService.answering((asked, exchange) -> {
            if (stands && !goOn.await(1, TimeUnit.MINUTES)) {
                return;
            }
            HttpService.reply(exchange, 200, answer(asked, isMended ? 17 : 18));
        });
        stage = Stage.open(production.address(), debug.address(), WINDOW);
    }

    @AfterEach
    void close() {
        goOn.countDown();
        stage.close();
        debug.close();
        production.close();
    }

    private static String answer(HttpService.Asked asked, int total) {
        String padding = asked.target().startsWith("/long") ? "x".repeat(20_000) : "";
        return "{\"total\":" + total + ",\"id\":\"" + UUID.randomUUID() + "\",\"padding\":\"" + padding + "\"}";
    }

    @Test
    void request_goesToTheDebugJvmAlone_andItsReplyIsComparedWithTheRecordedOne() throws Exception {
        stage.post("/orders", "{\"sku\":\"tea\"}".getBytes(StandardCharsets.UTF_8));
        stage.awaitVerdicts("DIFFERENT", 1);
        String counted =
                stage.control("/v1/status").at("/listeners/0/exchanges").toString();

        JsonNode again = run(1);
        assertThat(again.path("kind").asText()).as(again.toString()).isEqualTo("DIFFERENT");
        assertThat(again.at("/differences").toString()).contains("body.total", "\"17\"", "\"18\"");
        assertThat(again.at("/production/body").asText()).contains("17");
        assertThat(again.at("/copy/body").asText()).contains("18");
        isMended = true;
        assertThat(run(1).path("kind").asText()).as("ids are made up anew").isEqualTo("EQUIVALENT");

        assertThat(production.asked).hasSize(1);
        assertThat(debug.asked).hasSize(3).allSatisfy(asked -> {
            assertThat(asked.method()).isEqualTo("POST");
            assertThat(asked.text()).isEqualTo("{\"sku\":\"tea\"}");
        });
        assertThat(stage.control("/v1/status").at("/listeners/0/exchanges").toString())
                .as("it counts nowhere")
                .isEqualTo(counted);
        assertThat(stage.control("/v1/exchanges").at("/newest").asInt()).isEqualTo(1);
        assertThat(stage.control("/v1/report").toString()).doesNotContain("\"exchanges\":2");
        new OpenApi(stage.control("/v1/openapi.json"))
                .assertFits("/components/schemas/Replay", read(1).toString(), "an outcome");
    }

    @Test
    void whatIsNotKept_isNotRunAgain_andSaysWhy() throws Exception {
        stage.get("/long");
        stage.post("/orders", new byte[20_000]);
        stage.awaitVerdicts("DIFFERENT", 2);
        for (int exchange = 1; exchange <= 2; exchange++) {
            HttpResponse<String> refused = start(exchange);
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(refused.body()).contains(read(exchange).path("obstacle").asText());
        }
        assertThat(read(1).path("obstacle").asText())
                .startsWith("production's reply is kept only in part: 16384 of 20");
        assertThat(read(2).path("obstacle").asText()).startsWith("its request or production's reply isn't kept");
        assertThat(start(4711).statusCode()).isEqualTo(404);
        assertThat(debug.asked).hasSize(2);
    }

    @Test
    void oneAtATime_andNoneForEver() throws Exception {
        stage.get("/orders/1");
        stage.get("/orders/2");
        stage.awaitVerdicts("DIFFERENT", 2);
        stands = true;

        assertThat(start(1).statusCode()).isEqualTo(200);
        HttpResponse<String> second = start(2);
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("just now");

        JsonNode late = awaitEnd(1);
        assertThat(late.path("reason").asText("GIVEN_UP")).isIn("TIMED_OUT", "GIVEN_UP");
        assertThat(late.path("copy").isNull()).isTrue();
        stands = false;
        goOn.countDown();
        assertThat(run(2).path("kind").asText()).isEqualTo("DIFFERENT");
    }

    /** Then nothing else is at the debug JVM. */
    @Test
    void pausedTee_letsItPass() throws Exception {
        stage.get("/orders/1");
        stage.awaitVerdicts("DIFFERENT", 1);
        HttpRequest pause = HttpRequest.newBuilder(stage.controlUri("/v1/listeners/orders/tee"))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString("{\"mode\":\"paused\"}"))
                .build();
        assertThat(stage.client.send(pause, BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);

        stage.get("/orders/2");

        assertThat(run(1).path("kind").asText()).isEqualTo("DIFFERENT");
        assertThat(debug.asked).extracting(HttpService.Asked::target).containsExactly("/orders/1", "/orders/1");
    }

    private JsonNode run(long exchange) throws Exception {
        HttpResponse<String> begun = start(exchange);
        assertThat(begun.statusCode()).as(begun.body()).isEqualTo(200);
        return awaitEnd(exchange);
    }

    private JsonNode awaitEnd(long exchange) {
        return await("its end")
                .atMost(Duration.ofMinutes(1))
                .until(() -> read(exchange), run -> !run.path("state").asText().equals("RUNNING"));
    }

    private JsonNode read(long exchange) throws Exception {
        return JSON.readTree(
                stage.controlText("/v1/exchanges/" + exchange + "/replay").body());
    }

    private HttpResponse<String> start(long exchange) throws Exception {
        return stage.client.send(
                HttpRequest.newBuilder(stage.controlUri("/v1/exchanges/" + exchange + "/replay"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                BodyHandlers.ofString());
    }
}

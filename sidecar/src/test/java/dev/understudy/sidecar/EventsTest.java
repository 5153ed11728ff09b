package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.sidecar.config.WindowConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What those are told who follow {@code /v1/events}. */
final class EventsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private HttpService production;
    private HttpService debug;
    private Stage stage;

    @BeforeEach
    void open() throws Exception {
        production = HttpService.saying("{\"n\":1}");
        debug = HttpService.answering((asked, exchange) ->
                HttpService.reply(exchange, 200, asked.target().startsWith("/different") ? "{\"n\":2}" : "{\"n\":1}"));
        stage = Stage.open(production.address(), debug.address());
    }

    @AfterEach
    void close() {
        stage.close();
        debug.close();
        production.close();
    }

    @Test
    void differentReplies_areTold_andOnlyThose() throws Exception {
        try (Follower follower = follow(stage)) {
            stage.get("/same");
            JsonNode reached = follower.until("debug", data -> true);
            assertThat(reached.get("state").asText()).isEqualTo("reached");
            stage.get("/different?password=hunter2");
            JsonNode divergence = follower.until("divergence", data -> true);
            assertThat(divergence.get("request").asText())
                    .startsWith("GET /different")
                    .doesNotContain("hunter2");
            assertThat(divergence.get("first").asText()).isEqualTo("body.n");
            assertThat(divergence.get("differences").asInt()).isEqualTo(1);
            assertThat(divergence.get("more").asInt()).isZero();
        }
    }

    @Tag("slow")
    @Test
    void manyDivergences_areToldInPart_andCountedInFull() throws Exception {
        try (Follower follower = follow(stage)) {
            for (int n = 0; n < 100; n++) {
                stage.get("/different/" + n);
            }
            int[] told = {0};
            follower.until(
                    "divergence", data -> (told[0] += 1 + data.get("more").asInt()) == 100);
        }
    }

    @Test
    void switchedTee_isTold_withWhatWasLost() throws Exception {
        try (Follower follower = follow(stage);
                Socket client = stage.connect()) {
            // on one connection, so that no other's copy is still open when the tee is turned off
            client.getOutputStream().write(Stage.ascii("GET /same HTTP/1.1\r\nHost: a\r\n\r\n"));
            stage.awaitStatus("same", s -> s.at("/exchanges/production").asInt() == 1);
            turn("paused");
            assertThat(follower.until("tee", data -> true).get("mode").asText()).isEqualTo("paused");
            client.getOutputStream().write(Stage.ascii("GET /kept HTTP/1.1\r\nHost: a\r\n\r\n"));
            stage.awaitStatus("kept", s -> s.at("/exchanges/production").asInt() == 2);
            turn("off");
            assertThat(follower.until("tee", data -> true).get("mode").asText()).isEqualTo("off");
            JsonNode loss = follower.until("loss", data -> true);
            assertThat(loss.get("reason").asText()).isEqualTo("SWITCHED_OFF");
            assertThat(loss.get("connections").asInt()).isEqualTo(1);
            assertThat(loss.get("first")).hasSize(1);
        }
    }

    @Test
    void missingDebugJvm_isTold_once() throws Exception {
        try (Stage alone = Stage.open(production.address(), Stage.nobody());
                Follower follower = follow(alone)) {
            alone.get("/a");
            JsonNode missed = follower.until("debug", data -> true);
            assertThat(missed.get("state").asText()).isEqualTo("missed");
            assertThat(missed.get("listener").asText()).isEqualTo("orders");
        }
    }

    @Test
    void fullWindow_isAnOverflow() throws Exception {
        WindowConfig small = new WindowConfig(
                64 << 10, 64 << 10, Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(60));
        try (Stage tight = Stage.open(production.address(), Stage.nobody(), small);
                Follower follower = follow(tight)) {
            tight.post("/a", new byte[1 << 20]);
            JsonNode overflow =
                    follower.until("overflow", data -> data.get("connections").asInt() > 0);
            assertThat(overflow.get("reason").asText()).startsWith("OVERFLOW_");
            assertThat(overflow.get("first")).hasSize(1);
        }
    }

    @Test
    void window_isToldAtOnce() throws Exception {
        try (Follower follower = follow(stage)) {
            assertThat(follower.until("window", data -> true).get("debug").asText())
                    .isEqualTo("debug");
        }
        assertThat(stage.controlText("/metrics").body()).contains("understudy_events_published_total");
    }

    private void turn(String mode) throws Exception {
        stage.client.send(
                HttpRequest.newBuilder(stage.controlUri("/v1/listeners/orders/tee"))
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString("{\"mode\":\"" + mode + "\"}"))
                        .build(),
                BodyHandlers.discarding());
    }

    static Follower follow(Stage stage) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(stage.controlUri("/v1/events")).build();
        return new Follower(
                stage.client.send(request, BodyHandlers.ofInputStream()).body());
    }

    static final class Follower implements AutoCloseable {
        private final BufferedReader lines;

        Follower(InputStream stream) {
            lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
        }

        /** The next event of that name whose data are right. */
        JsonNode until(String name, Predicate<JsonNode> right) throws IOException {
            String current = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event: ")) {
                    current = line.substring(7);
                } else if (line.startsWith("data: ") && current.equals(name)) {
                    JsonNode data = JSON.readTree(line.substring(6));
                    if (right.test(data)) {
                        return data;
                    }
                }
            }
            throw new AssertionError("the stream ended before " + name);
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}

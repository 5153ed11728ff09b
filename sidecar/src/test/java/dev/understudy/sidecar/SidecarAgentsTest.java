package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** What the operator's settings have agents told. */
final class SidecarAgentsTest {
    private final ObjectMapper json = new ObjectMapper();
    private HttpService production;
    private HttpService debug;

    @TempDir
    Path folder;

    @BeforeEach
    void open() throws Exception {
        production = HttpService.saying("{\"n\":1}");
        debug = HttpService.saying("{\"n\":1}");
    }

    @AfterEach
    void close() {
        debug.close();
        production.close();
    }

    @Test
    void aWantedWindow_isTold_withTheRateThatItTakes() throws Exception {
        try (Stage stage = Stage.of(config("window: {wanted: 10m}"))) {
            HttpRequest request =
                    HttpRequest.newBuilder(stage.controlUri("/v1/window")).build();
            HttpResponse<InputStream> stream = stage.client.send(request, BodyHandlers.ofInputStream());
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
                JsonNode event = next(lines);
                assertThat(event.path("wantedMillis").asLong()).isEqualTo(600_000);
                assertThat(event.get("spans"))
                        .as("there is nobody to hand them on to")
                        .isEqualTo(BooleanNode.FALSE);
                while (!event.has("neededRate")) {
                    stage.get("/a"); // what comes has to be known first
                    event = next(lines);
                }
                assertThat(event.path("neededRate").asDouble()).isNotNegative();
            }
        }
    }

    @Test
    void agentsAreTold_thatSpansAreWanted() throws Exception {
        try (Stage stage = Stage.of(config("telemetry: {otlp: \"http://127.0.0.1:9\"}"))) {
            HttpRequest request =
                    HttpRequest.newBuilder(stage.controlUri("/v1/window")).build();
            HttpResponse<InputStream> stream = stage.client.send(request, BodyHandlers.ofInputStream());
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
                assertThat(next(lines).get("spans")).isEqualTo(BooleanNode.TRUE);
            }
        }
    }

    @Test
    void agentsThatAreToShare_areOrderedTo_andWhatTheyFoundIsToldTogether() throws Exception {
        try (Stage stage = Stage.of(config("probes: shared"))) {
            for (String agent : List.of("b", "a")) {
                HttpRequest post = HttpRequest.newBuilder(stage.controlUri("/v1/agent"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(
                                "{\"name\":\"" + agent + "\",\"methods\":[{\"method\":\"Cart#total\",\"hits\":3}]}"))
                        .build();
                stage.client.send(post, BodyHandlers.discarding());
            }
            await().until(() -> stage.control("/v1/orders")
                    .at("/orders/parts/agents")
                    .toString()
                    .equals("[\"a\",\"b\"]"));

            assertThat(stage.control("/v1/agent").at("/shared/methods/0/hits").asLong())
                    .isEqualTo(6);
        }
    }

    private JsonNode next(BufferedReader lines) throws Exception {
        String line = lines.readLine();
        while (!line.startsWith("data: ")) {
            line = lines.readLine();
        }
        return json.readTree(line.substring(6));
    }

    private SidecarConfig config(String settings) throws Exception {
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - {name: orders, listen: "127.0.0.1:0", production: "127.0.0.1:%d", debug: "127.0.0.1:%d"}
                control: {listen: "127.0.0.1:0", anonymous: admin}
                %s
                """.formatted(
                        production.address().getPort(), debug.address().getPort(), settings));
        Problems problems = new Problems();
        return SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems);
    }
}

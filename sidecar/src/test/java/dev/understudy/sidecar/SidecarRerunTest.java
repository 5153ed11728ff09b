package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.config.SidecarConfig;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What the aggregator is told of an exchange that is run again. */
final class SidecarRerunTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private HttpService production;
    private HttpService debug;
    private HttpService aggregator;
    private Stage stage;

    @BeforeEach
    void open() throws Exception {
        production = HttpService.saying("{\"total\":17}");
        debug = HttpService.saying("{\"total\":18}");
        aggregator = HttpService.saying("{}");
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - {name: orders, listen: 127.0.0.1:0, production: 127.0.0.1:%d, debug: 127.0.0.1:%d, protocol: http}
                aggregator: {url: "http://127.0.0.1:%d"}
                control: {listen: 127.0.0.1:0, anonymous: admin}
                """.formatted(
                        production.address().getPort(),
                        debug.address().getPort(),
                        aggregator.address().getPort()));
        Problems problems = new Problems();
        stage = Stage.of(SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems));
    }

    @AfterEach
    void close() {
        stage.close();
        aggregator.close();
        debug.close();
        production.close();
    }

    @Test
    void aggregatorIsTold_beforeAndAfterIt_andOfWhatMayBeRunAgain() throws Exception {
        stage.get("/orders/1");
        stage.awaitVerdicts("DIFFERENT", 1);
        await().until(() -> told().contains("\"kept\":[1]"));

        assertThat(start()).isEqualTo(200);
        await().until(() -> debug.asked.size() == 2 && told().contains("\"over\":true"));

        String trace = debug.asked.get(1).headers().getFirst("traceparent").substring(3, 35);
        assertThat(told())
                .contains("\"reruns\":[{\"trace\":\"" + trace + "\",\"exchange\":1,\"alone\":true}]")
                .contains("\"reruns\":[{\"trace\":\"" + trace + "\",\"exchange\":1,\"over\":true}]");
    }

    /** Its upstream calls would take what others wait for. */
    @Test
    void nothingIsRunAgain_whileTheAggregatorDoesntAnswer() throws Exception {
        stage.get("/orders/1");
        stage.awaitVerdicts("DIFFERENT", 1);
        aggregator.close();
        await().untilAsserted(
                        () -> assertThat(read().path("obstacle").asText()).contains("the aggregator doesn't answer"));

        assertThat(start()).isEqualTo(409);
        assertThat(debug.asked).hasSize(1);
    }

    private String told() {
        return String.join(
                "\n", aggregator.asked.stream().map(HttpService.Asked::text).toList());
    }

    private JsonNode read() throws Exception {
        return JSON.readTree(stage.controlText("/v1/exchanges/1/replay").body());
    }

    private int start() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(stage.controlUri("/v1/exchanges/1/replay"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{}"))
                .build();
        return stage.client.send(request, BodyHandlers.ofString()).statusCode();
    }
}

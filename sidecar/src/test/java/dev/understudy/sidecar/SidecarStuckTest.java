package dev.understudy.sidecar;

import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.config.SidecarConfig;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** A request that neither JVM ever answers. */
final class SidecarStuckTest {
    private static final String REQUEST = "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n";

    @TempDir
    Path folder;

    @Test
    void anExchangeThatNeverEnds_failsWhileItIsWorkedOn() throws Exception {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        try (PlainServer production = PlainServer.open(PlainServer::readAll);
                PlainServer debug = PlainServer.open(socket -> {
                    port.complete(socket.getPort());
                    PlainServer.readAll(socket);
                });
                Stage stage = Stage.of(config(production, debug))) {
            try (Socket client = stage.connect()) {
                PlainServer.write(client, REQUEST);
                observed(stage, port.get());

                await().until(() ->
                        stage.control("/v1/suspects").at("/exchanges/failing").asInt() == 1);
                assertThat(stage.status().at("/verdicts/NOT_COMPARED").asInt())
                        .as("it has no verdict yet")
                        .isZero();
            }
            await().until(() -> stage.status().at("/verdicts/NOT_COMPARED").asInt() == 1);
            observed(stage, port.get());
            assertThat(stage.control("/v1/suspects").at("/exchanges/waiting").asInt())
                    .as("how it ended was told once")
                    .isEqualTo(1);
        }
    }

    @Test
    void slowness_isLookedForAsItIsSetNow() throws Exception {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        try (PlainServer production = PlainServer.open(PlainServer::readAll);
                PlainServer debug = PlainServer.open(socket -> {
                    port.complete(socket.getPort());
                    PlainServer.readAll(socket);
                });
                Stage stage = Stage.of(config(production, debug))) {
            setSlow(stage, "never");
            try (Socket client = stage.connect()) {
                PlainServer.write(client, REQUEST);
                observed(stage, port.get());
                await().pollDelay(Duration.ofSeconds(1))
                        .until(() -> stage.control("/v1/suspects")
                                        .at("/exchanges/failing")
                                        .asInt()
                                == 0);

                setSlow(stage, "150ms");
                observed(stage, port.get());
                await("it is told of once, by the later rule")
                        .until(() -> stage.control("/v1/suspects")
                                        .at("/failingBy/SLOW")
                                        .asInt()
                                == 1);
            }
        }
    }

    private static void setSlow(Stage stage, String slow) throws Exception {
        post(stage, "/v1/labels", "{\"slow\":\"" + slow + "\"}");
    }

    /** The agent tells of the request as it stands. */
    private static void observed(Stage stage, int port) throws Exception {
        post(
                stage,
                "/v1/observations",
                "{\"name\":\"a\",\"run\":1,\"closed\":[],\"methods\":{\"1\":\"A#b\"},\"exchanges\":[{\"port\":" + port
                        + ",\"from\":0,\"to\":" + REQUEST.length()
                        + ",\"open\":true,\"whole\":true,\"held\":[16]}]}");
    }

    private static void post(Stage stage, String path, String json) throws Exception {
        HttpRequest post = HttpRequest.newBuilder(stage.controlUri(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(post, BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(200);
    }

    private SidecarConfig config(PlainServer production, PlainServer debug) throws Exception {
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - {name: orders, listen: "127.0.0.1:0", production: "127.0.0.1:%d", debug: "127.0.0.1:%d", \
                protocol: redis}
                control: {listen: "127.0.0.1:0", anonymous: admin}
                suspects: {slow: 100ms}
                """.formatted(
                        production.address().getPort(), debug.address().getPort()));
        Problems problems = new Problems();
        return SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems);
    }
}

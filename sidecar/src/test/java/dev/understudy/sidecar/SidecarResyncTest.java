package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.Ports;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** A debug JVM that has drifted away is killed, begins anew in production's state, and gets what came meanwhile. */
@Tag("process")
final class SidecarResyncTest {

    @TempDir
    Path folder;

    private final AtomicInteger number = new AtomicInteger();
    private int port;

    @BeforeEach
    void start() throws Exception {
        port = Ports.free();
        Files.writeString(folder.resolve("snapshot"), "40");
        Files.writeString(folder.resolve("start"), """
                cd %s
                %s -Xmx32m -cp %s %s %d "$(cat snapshot)" > debug.log 2>&1 &
                echo $! > pid
                """.formatted(
                        folder,
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        Path.of(CountingProgram.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI()),
                        CountingProgram.class.getName(),
                        port));
        Files.writeString(folder.resolve("restart"), """
                cd %s
                cp state snapshot
                echo "$RESYNC_DEBUG $RESYNC_EPOCH $RESYNC_CAUSE" > copied.new
                mv copied.new copied
                while [ ! -e go ]; do sleep 0.1; done
                kill -9 "$(cat pid)"
                while kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.1; done
                . ./start
                """.formatted(folder));
        Process started =
                new ProcessBuilder("sh", "start").directory(folder.toFile()).start();
        assertThat(started.waitFor(60, TimeUnit.SECONDS)).isTrue();
        await("debug").ignoreExceptions().until(() -> {
            try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return probe.isConnected();
            }
        });
    }

    @AfterEach
    void kill() throws IOException {
        long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void divergedDebugJvm_beginsAnewFromASnapshot_andGetsWhatCameMeanwhile() throws Exception {
        try (HttpService production = counting();
                Stage stage = stage(production, """
                on-divergence: first
                  pause: 0s
                  command: [sh, %s/restart]""".formatted(folder))) {
            stage.get("/drifted"); // 1 here, 41 there
            await("the command").until(() -> Files.exists(folder.resolve("copied")));
            assertThat(folder.resolve("copied")).hasContent("debug 2 DIVERGENCE");
            assertThat(stage.get("/held").body()).isEqualTo("2");
            assertThat(stage.status().get("tee").asText()).isEqualTo("paused");
            Files.createFile(folder.resolve("go"));
            JsonNode epoch = epoch(stage, "done");

            assertThat(stage.get("/later").body()).isEqualTo("3");
            stage.awaitStatus("3 verdicts", s -> Stage.total(s) == 3);
            JsonNode verdicts = stage.status().get("verdicts");
            assertThat(verdicts.get("DIFFERENT").asInt())
                    .as(verdicts.toString())
                    .isEqualTo(1);
            assertThat(verdicts.get("NOT_COMPARED").asInt())
                    .as(verdicts.toString())
                    .isZero();
            assertThat(epoch.get("cause").asText()).isEqualTo("DIVERGENCE");
            JsonNode epochs = stage.control("/v1/report").get("epochs");
            assertThat(epochs).hasSize(2);
            assertThat(epochs.at("/0/different").asInt()).isEqualTo(1);
            assertThat(epochs.at("/1/compared").asInt()).isEqualTo(2);
            assertThat(epochs.at("/1/different").asInt()).isZero();
            assertThat(stage.controlText("/metrics").body())
                    .contains("understudy_resync_total{debug=\"debug\",outcome=\"done\"} 1.0")
                    .contains("understudy_epoch{debug=\"debug\"} 2.0");
        }
    }

    @Test
    void whatFails_isTold_andInputGoesOn() throws Exception {
        try (HttpService production = counting();
                Stage stage = stage(production, "command: [sh, -c, 'echo no image; exit 3']")) {
            assertThat(post(stage).statusCode()).isEqualTo(200);
            JsonNode epoch = epoch(stage, "failed");

            assertThat(epoch.get("problem").asText()).contains("sh exited with 3: no image");
            assertThat(epoch.get("cause").asText()).isEqualTo("ASKED");
            assertThat(stage.status().get("tee").asText()).isEqualTo("on");
        }
    }

    @Test
    void nothingSet_canNotBeAskedFor() throws Exception {
        try (HttpService production = counting();
                Stage stage = stage(production, "every: 0s")) {
            assertThat(post(stage).statusCode()).isEqualTo(409);
            assertThat(stage.control("/v1/resync").get("epochs")).hasSize(1);
        }
    }

    private HttpService counting() throws IOException {
        return HttpService.answering((asked, exchange) -> {
            byte[] body = Integer.toString(number.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
            Files.write(folder.resolve("state"), body);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    private Stage stage(HttpService production, String resync) throws IOException {
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners: [{name: orders, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: '127.0.0.1:%d'}]
                control: {listen: '127.0.0.1:0', anonymous: admin}
                resync:
                  %s
                """.formatted(
                        production.address().getPort(), port, resync));
        Problems problems = new Problems();
        return Stage.of(SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems));
    }

    private static JsonNode epoch(Stage stage, String state) {
        JsonNode[] epoch = new JsonNode[1];
        await(state).until(() -> {
            epoch[0] = stage.control("/v1/status").get("epoch");
            return epoch[0].get("epoch").asInt() == 2
                    && epoch[0].get("state").asText().equals(state);
        });
        return epoch[0];
    }

    private static HttpResponse<String> post(Stage stage) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(stage.controlUri("/v1/resync"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.noBody())
                .build();
        return stage.client.send(request, BodyHandlers.ofString());
    }
}

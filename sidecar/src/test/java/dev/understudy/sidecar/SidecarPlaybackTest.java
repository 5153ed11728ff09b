package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** What a sidecar has recorded, played to a debug JVM that was started later. */
final class SidecarPlaybackTest {
    private static final String PLAYBACK = "/v1/listeners/orders/playback";
    private static final String RECORDING = "/v1/listeners/orders/recording";

    @TempDir
    private Path folder;

    private final CountDownLatch hung = new CountDownLatch(1);
    private HttpService production;
    private HttpService debug;
    private Stage stage;

    @BeforeEach
    void open() throws Exception {
        production = HttpService.saying("{\"n\":1}");
        debug = HttpService.answering((asked, exchange) -> {
            if (asked.target().startsWith("/hangs")) {
                hung.await();
            }
            HttpService.reply(exchange, 200, asked.target().startsWith("/differs") ? "{\"n\":2}" : "{\"n\":1}");
        });
        stage = stage();
        put("recording", "{\"mode\":\"on\"}");
    }

    @AfterEach
    void close() {
        hung.countDown();
        stage.close();
        debug.close();
        production.close();
    }

    @Test
    void exchanges_getVerdicts_inProductionsOrder_andLiveOnesFollow() throws Exception {
        for (int n = 0; n < 60; n++) {
            ask(n % 3 == 0, (n % 10 == 0 ? "/differs/" : "/recorded/") + n);
        }
        put("tee", "{\"mode\":\"paused\",\"snapshot\":\"awaited\"}");
        long moment = System.nanoTime();
        stage.get("/live/1");
        stage.get("/live/2");

        assertThat(play(moment).statusCode()).isEqualTo(200);

        JsonNode played = awaitDone();
        assertThat(played.path("problem").asText()).isEmpty();
        assertThat(played.path("failed").asInt()).isZero();
        assertThat(targets(debug)).isEqualTo(targets(production).subList(0, 60));
        JsonNode status = stage.awaitStatus("verdicts", s -> Stage.total(s) == 60);
        assertThat(status.at("/verdicts/DIFFERENT").asInt()).isEqualTo(6);
        assertThat(stage.verdicts("DIFFERENT").toString()).contains("/differs/50");

        put("tee", "{\"mode\":\"on\",\"snapshot\":{\"running\":%d,\"answered\":%d}}".formatted(moment, moment));
        status = stage.awaitStatus("live ones", s -> Stage.total(s) == 62);
        assertThat(targets(debug)).isEqualTo(targets(production));
        assertThat(status.get("losses")).isEmpty();
        assertThat(status.at("/fidelity").asText()).isEqualTo("faithful: 62 of 62 exchanges");
    }

    @Test
    void recordingsThatAreLargerThanTheWindow_arePlayedPieceByPiece() throws Exception {
        byte[] body = new byte[500_000];
        for (int n = 0; n < 60; n++) {
            stage.post("/large/" + n, body);
            // a recorder that a busy machine keeps waiting leaves out what it has no room for
            long written = (n - 1L) * body.length;
            await().until(() -> stage.control(RECORDING).path("bytes").asLong() >= written);
        }
        put("tee", "{\"mode\":\"paused\"}");

        play(Long.MAX_VALUE);

        JsonNode played = awaitDone();
        assertThat(played.path("problem").asText()).isEmpty();
        assertThat(played.path("failed").asInt()).isZero();
        JsonNode status = stage.awaitStatus("verdicts", s -> Stage.total(s) == 60);
        assertThat(status.get("losses")).isEmpty();
        assertThat(debug.asked).hasSize(60).allMatch(asked -> asked.body().length == body.length);
    }

    @Test
    void playback_isRefused_whereItCantBe() throws Exception {
        assertThat(play(1).body()).contains("(expected: paused)");
        put("tee", "{\"mode\":\"paused\"}");
        assertThat(post("{\"until\":\"now\"}").statusCode()).isEqualTo(400);
        assertThat(post("no JSON").statusCode()).isEqualTo(400);
        assertThat(stage.controlText("/v1/listeners/nobody/playback").statusCode())
                .isEqualTo(404);
        assertThat(stage.control(PLAYBACK).path("state").asText()).isEqualTo("none");
    }

    @Test
    void debugJvmThatHangs_holdsThePlaybackUntilTheTeeIsTurned_andOneIsPlayedAtATime() throws Exception {
        stage.get("/hangs");
        stage.get("/behind");
        put("tee", "{\"mode\":\"paused\"}");
        assertThat(play(Long.MAX_VALUE).statusCode()).isEqualTo(200);
        await().until(() -> debug.asked.size() == 1);
        assertThat(play(Long.MAX_VALUE).statusCode()).isEqualTo(409);

        put("tee", "{\"mode\":\"off\"}");

        assertThat(awaitDone().path("connections").asInt()).isPositive();
        assertThat(targets(debug)).containsExactly("/hangs");
        assertThat(stage.get("/served").statusCode()).isEqualTo(200);
    }

    @Test
    void filesThatNobodyCanRead_areSaid() throws Exception {
        stage.get("/recorded");
        JsonNode first = stage.control(RECORDING);
        put("recording", "{\"mode\":\"off\"}");
        await().until(() -> stage.control(RECORDING).path("state").asText().equals("off"));
        Files.write(Path.of(first.path("file").asText()), new byte[100]);
        put("tee", "{\"mode\":\"paused\"}");

        play(Long.MAX_VALUE);

        assertThat(awaitDone().path("problem").asText()).contains("is no recording");
    }

    private void ask(boolean alone, String target) throws Exception {
        if (!alone) {
            stage.get(target);
            return;
        }
        try (Socket client = stage.connect()) {
            client.getOutputStream()
                    .write(Stage.ascii("GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
            client.getInputStream().readAllBytes();
        }
    }

    private JsonNode awaitDone() {
        await().until(() -> stage.control(PLAYBACK).path("state").asText().equals("done"));
        return stage.control(PLAYBACK);
    }

    private HttpResponse<String> play(long until) throws Exception {
        return post("{\"until\":%d}".formatted(until));
    }

    private HttpResponse<String> post(String json) throws Exception {
        return send(HttpRequest.newBuilder(stage.controlUri(PLAYBACK)).POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    private void put(String what, String json) throws Exception {
        HttpResponse<String> reply = send(HttpRequest.newBuilder(stage.controlUri("/v1/listeners/orders/" + what))
                .PUT(HttpRequest.BodyPublishers.ofString(json)));
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return stage.client.send(
                request.header("Content-Type", "application/json").build(), BodyHandlers.ofString());
    }

    private static List<String> targets(HttpService service) {
        return service.asked.stream().map(HttpService.Asked::target).toList();
    }

    private Stage stage() throws IOException {
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - {name: orders, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: '127.0.0.1:%d', tee: off}
                record: {directory: %s, max-size: 64MiB}
                window: {memory: 8MiB, lane-memory: 8MiB}
                control: {listen: '127.0.0.1:0', anonymous: admin}
                drain: 100ms
                """.formatted(
                        production.address().getPort(), debug.address().getPort(), folder.resolve("recordings")));
        Problems problems = new Problems();
        return Stage.of(SidecarConfig.read(settings, new Overrides(Map.of(), List.of(), problems), problems));
    }
}

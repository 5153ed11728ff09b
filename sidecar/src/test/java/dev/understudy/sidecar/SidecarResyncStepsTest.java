package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** What may be done to bring a debug JVM back into production's state, with real peers. */
final class SidecarResyncStepsTest {

    @TempDir
    Path folder;

    @Test
    void webhook_isToldWhatHappened_andWhatItDoesIsWaitedFor() throws Exception {
        AtomicInteger ours = new AtomicInteger();
        AtomicInteger theirs = new AtomicInteger(40);
        Queue<String> told = new ConcurrentLinkedQueue<>();
        HttpServer orchestrator = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        orchestrator.createContext("/resync", call -> {
            told.add(call.getRequestMethod() + " " + call.getRequestHeaders().getFirst("Content-Type"));
            told.add(new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            theirs.set(ours.get());
            call.sendResponseHeaders(204, -1);
            call.close();
        });
        orchestrator.start();
        try (HttpService production = counting(ours);
                HttpService debug = counting(theirs);
                Stage stage =
                        http(production, debug, "webhook: 'http://127.0.0.1:" + port(orchestrator) + "/resync'")) {
            stage.get("/drifted"); // 1 here, 41 there
            stage.awaitVerdicts("DIFFERENT", 1);
            JsonNode epoch = resynced(stage);

            assertThat(epoch.get("state").asText()).as(epoch.toString()).isEqualTo("done");
            assertThat(told.poll()).isEqualTo("POST application/json");
            assertThat(told.poll()).contains("\"debug\":\"debug\"", "\"epoch\":2", "\"cause\":\"ASKED\"");
            assertThat(stage.get("/in-step").body()).isEqualTo("2");
            stage.awaitStatus("2 verdicts", s -> Stage.total(s) == 2);
            assertThat(stage.status().at("/verdicts/DIFFERENT").asInt()).isEqualTo(1);
        } finally {
            orchestrator.stop(0);
        }
    }

    @Test
    void webhook_thatRefuses_orIsntThere_failsTheEpoch() throws Exception {
        HttpServer refusing = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        refusing.createContext("/", call -> {
            call.sendResponseHeaders(503, -1);
            call.close();
        });
        refusing.start();
        try (HttpService production = counting(new AtomicInteger());
                HttpService debug = counting(new AtomicInteger())) {
            try (Stage stage = http(production, debug, "webhook: 'http://127.0.0.1:" + port(refusing) + "/'")) {
                assertThat(resynced(stage).get("problem").asText())
                        .isEqualTo("the webhook answered 503 (expected: 2xx)");
            } finally {
                refusing.stop(0);
            }
            try (Stage stage = http(
                    production,
                    debug,
                    "webhook: 'http://127.0.0.1:" + Stage.nobody().getPort() + "/'")) {
                JsonNode epoch = resynced(stage);
                assertThat(epoch.get("state").asText()).isEqualTo("failed");
                assertThat(epoch.get("problem").asText()).contains("the webhook failed: ");
            }
        }
    }

    @Tag("process")
    @Test
    void aggregator_isToldAtTheEnd_toForgetWhatCameBeforeTheCut() throws Exception {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        AtomicInteger status = new AtomicInteger(200);
        HttpServer aggregator = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        aggregator.createContext("/v1/forget", call -> {
            told.add(call.getRequestMethod() + " " + call.getRequestHeaders().getFirst("Authorization") + " "
                    + new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            call.sendResponseHeaders(status.get(), -1);
            call.close();
        });
        aggregator.start();
        String link = "command: ['true']}\naggregator: {token: secret-of-ours, url: 'http://127.0.0.1:"
                + port(aggregator) + "/'";
        try (HttpService production = counting(new AtomicInteger());
                HttpService debug = counting(new AtomicInteger());
                Stage stage = http(production, debug, link)) {
            JsonNode epoch = resynced(stage);
            assertThat(epoch.get("state").asText()).as(epoch.toString()).isEqualTo("done");
            assertThat(told.poll()).matches("POST Bearer secret-of-ours \\{\"olderThanMillis\":[1-9]\\d*}");

            status.set(401);
            assertThat(resynced(stage).get("problem").asText())
                    .isEqualTo("the aggregator keeps replies from before: it answered 401");
        } finally {
            aggregator.stop(0);
        }
    }

    @Tag("process")
    @Test
    void recording_isPlayedToADebugServerThatBeginsEmpty() throws Exception {
        try (RedisProgram production = RedisProgram.open();
                RedisProgram debug = RedisProgram.open()) {
            Path recording = record(production);
            try (Stage stage = redis(production, debug, "recording: '" + recording + "'")) {
                debug.kill();
                debug.startAgain();
                JsonNode epoch = resynced(stage);

                assertThat(epoch.get("state").asText()).as(epoch.toString()).isEqualTo("done");
                assertThat(debug.says("GET n")).isEqualTo("$2\r\n42\r\n");
                try (Socket client = stage.connect()) {
                    PlainServer.write(client, "INCR n\r\nLRANGE l 0 -1\r\n");
                    stage.awaitVerdicts("SAME", 2);
                }
            }
        }
    }

    @Tag("process")
    @Test
    void recording_thatCantBePlayed_failsTheEpoch() throws Exception {
        try (RedisProgram production = RedisProgram.open();
                RedisProgram debug = RedisProgram.open();
                Stage stage = redis(production, debug, "recording: '" + folder.resolve("gone.understudy") + "'")) {
            JsonNode epoch = resynced(stage);

            assertThat(epoch.get("state").asText()).isEqualTo("failed");
            assertThat(epoch.get("problem").asText()).contains("gone.understudy");
        }
    }

    /** What brings an empty server to {@code n = 42}, as a running sidecar records it. */
    private Path record(RedisProgram production) throws Exception {
        Path recordings = Files.createDirectory(folder.resolve("recordings"));
        String settings = "record: {directory: '" + recordings + "'}";
        try (Stage stage = Stage.of(config("protocol: redis", production.address(), Stage.nobody(), settings))) {
            turn(stage, "on");
            try (Socket client = stage.connect()) {
                PlainServer.write(client, "SET n 41\r\nINCR n\r\nRPUSH l a b\r\nQUIT\r\n");
                assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                        .isEqualTo("+OK\r\n:42\r\n:2\r\n+OK\r\n");
            }
            turn(stage, "off");
            await("the file")
                    .until(() -> stage.control("/v1/listeners/orders/recording")
                            .get("state")
                            .asText()
                            .equals("off"));
        }
        try (Stream<Path> files = Files.list(recordings)) {
            return files.findFirst().orElseThrow();
        }
    }

    private Stage redis(RedisProgram production, RedisProgram debug, String resync) throws IOException {
        return Stage.of(config("protocol: redis", production.address(), debug.address(), "resync: {" + resync + "}"));
    }

    private Stage http(HttpService production, HttpService debug, String resync) throws IOException {
        return Stage.of(config("protocol: http", production.address(), debug.address(), "resync: {" + resync + "}"));
    }

    private SidecarConfig config(String protocol, InetSocketAddress production, InetSocketAddress debug, String more)
            throws IOException {
        Path file = Files.writeString(
                folder.resolve("sidecar.yaml"), """
                listeners:
                  - {name: orders, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: '127.0.0.1:%d', %s}
                control: {listen: '127.0.0.1:0', anonymous: admin}
                %s
                """.formatted(production.getPort(), debug.getPort(), protocol, more));
        Problems problems = new Problems();
        return SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems);
    }

    private static HttpService counting(AtomicInteger number) throws IOException {
        return HttpService.answering((asked, exchange) -> {
            byte[] body = Integer.toString(number.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    /** Asks for another epoch, and waits for the end of what is done. */
    private static JsonNode resynced(Stage stage) throws IOException, InterruptedException {
        HttpRequest ask = HttpRequest.newBuilder(stage.controlUri("/v1/resync"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.noBody())
                .build();
        assertThat(stage.client.send(ask, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        await("the end")
                .until(() ->
                        !stage.control("/v1/status").at("/epoch/state").asText().equals("running"));
        return stage.control("/v1/status").get("epoch");
    }

    private static void turn(Stage stage, String mode) throws IOException, InterruptedException {
        HttpRequest put = HttpRequest.newBuilder(stage.controlUri("/v1/listeners/orders/recording"))
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"mode\":\"" + mode + "\"}"))
                .build();
        assertThat(stage.client.send(put, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    private static int port(HttpServer server) {
        return server.getAddress().getPort();
    }
}

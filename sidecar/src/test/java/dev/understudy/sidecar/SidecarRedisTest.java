package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.TeeConfig;
import dev.understudy.sidecar.config.TelemetryConfig;
import dev.understudy.sidecar.config.WindowConfig;
import dev.understudy.sidecar.tee.Sampling;
import dev.understudy.sidecar.tee.TeeMode;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.understudy.sidecar.Patience.await;
import static dev.understudy.sidecar.RedisService.command;
import static org.assertj.core.api.Assertions.assertThat;

/** A listener whose protocol is redis. */
final class SidecarRedisTest {
    private static final String OK = "+OK\r\n";
    private static final int MIB = 1 << 20;

    private final RedisService production = RedisService.agreeing();
    private final RedisService debug = RedisService.agreeing();

    @Test
    void pipelinedCommands_areComparedOneByOne() throws Exception {
        RedisService answers = new RedisService(command -> switch (command.name()) {
            case "SMEMBERS" -> "*2~$1~a~$1~b~";
            case "GET" -> ">2~+news~:1~$3~Ada~";
            default -> "+OK~";
        });
        RedisService others = new RedisService(command -> switch (command.name()) {
            case "SMEMBERS" -> "*2~$1~b~$1~a~";
            case "GET" -> "$3~Eve~";
            default -> "+OK~";
        });
        try (PlainServer productionServer = PlainServer.open(answers::serve);
                PlainServer debugServer = PlainServer.open(others::serve);
                Stage stage = open(productionServer, debugServer);
                Socket client = stage.connect()) {
            send(
                    client,
                    command("AUTH", "hunter2") + command("SMEMBERS", "s") + command("GET", "user:17") + "PING\r\n");
            expect(client, OK + "*2\r\n$1\r\na\r\n$1\r\nb\r\n" + ">2\r\n+news\r\n:1\r\n$3\r\nAda\r\n" + OK);

            JsonNode status = stage.awaitStatus("four verdicts", s -> Stage.total(s) == 4);
            assertThat(status.at("/verdicts/SAME").asInt()).isEqualTo(2);
            assertThat(status.at("/verdicts/EQUIVALENT").asInt()).isEqualTo(1);
            JsonNode different = stage.verdicts("DIFFERENT").get(0);
            assertThat(different.get("request").asText()).isEqualTo("GET user:17");
            assertThat(different.at("/differences/0/path").asText()).isEqualTo("reply");
            assertThat(different.at("/differences/0/production").asText()).isEqualTo("Ada");
            assertThat(different.at("/differences/0/debug").asText()).isEqualTo("Eve");
            assertThat(stage.verdicts("").toString()).doesNotContain("hunter2").contains("\"AUTH\"");
            assertThat(others.got).containsExactly("AUTH hunter2", "SMEMBERS s", "GET user:17", "PING");
        }
    }

    @Test
    void anObservationOfACommand_isJoinedByTheBytesThatTheDebugJvmGot() throws Exception {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        try (PlainServer productionServer = PlainServer.open(production::serve);
                PlainServer debugServer = PlainServer.open(socket -> {
                    port.complete(socket.getPort());
                    debug.serve(socket);
                });
                Stage stage = open(productionServer, debugServer);
                Socket client = stage.connect()) {
            ask(client, command("GET", "k"));
            ask(client, command("GET", "longer"));
            stage.awaitVerdicts("SAME", 2);
            int from = command("GET", "k").length();
            int to = from + command("GET", "longer").length();

            stage.observed(port.get(), from, to);
            JsonNode suspects = stage.control("/v1/suspects");
            assertThat(suspects.at("/exchanges/successful").asInt())
                    .as(suspects.toString())
                    .isEqualTo(1);
        }
    }

    @Test
    void subscription_isCarriedAsBytes_andSaidToBe() throws Exception {
        try (PlainServer productionServer = PlainServer.open(production::serve);
                PlainServer debugServer = PlainServer.open(debug::serve);
                Stage stage = open(productionServer, debugServer)) {
            try (Socket client = stage.connect()) {
                ask(client, command("GET", "k"));
                ask(client, command("SUBSCRIBE", "news"));
                ask(client, command("PING"));
            }
            JsonNode status =
                    stage.awaitStatus("the end", s -> s.at("/lanes/open").asInt() == 0);
            assertThat(status.at("/verdicts/SAME").asInt()).isEqualTo(1);
            assertThat(status.at("/notCompared/SERVER_PUSH").asInt()).isEqualTo(1);
            assertThat(stage.verdicts("NOT_COMPARED").get(0).get("request").asText())
                    .isEqualTo("(bytes: SUBSCRIBE)");
            assertThat(debug.got).containsExactly("GET k", "SUBSCRIBE news", "PING");
        }
    }

    @Test
    void malformedBytes_areRelayedAsTheyAre_andCounted() throws Exception {
        try (PlainServer productionServer = PlainServer.open(production::serve);
                PlainServer debugServer = PlainServer.open(debug::serve);
                Stage stage = open(productionServer, debugServer);
                Socket client = stage.connect()) {
            ask(client, command("GET", "k"));
            send(client, "*1\r\n:7\r\n");
            assertThat(PlainServer.readAll(client)).isEqualTo("-ERR Protocol error\r\n");
            client.shutdownOutput();

            JsonNode status = stage.awaitStatus("two verdicts", s -> Stage.total(s) == 2);
            assertThat(status.at("/verdicts/SAME").asInt()).isEqualTo(1);
            assertThat(status.at("/notCompared/UNFRAMED").asInt()).isEqualTo(1);
            assertThat(status.get("unframedConnections").asInt()).isEqualTo(1);
        }
    }

    @Test
    void hugeValue_isComparedByItsHash() throws Exception {
        String value = "x".repeat(5 * MIB);
        RedisService answers = new RedisService(command -> "$" + value.length() + "~" + value + "~");
        try (PlainServer productionServer = PlainServer.open(answers::serve);
                PlainServer debugServer = PlainServer.open(answers::serve);
                Stage stage = open(productionServer, debugServer);
                Socket client = stage.connect()) {
            send(client, command("GETSET", "k", value));
            expect(client, "$" + value.length() + "\r\n" + value + "\r\n");
            stage.awaitVerdicts("SAME", 1);
        }
    }

    @Test
    void commandThatWaits_isWaitedForOnBothSides() throws Exception {
        CountDownLatch pushed = new CountDownLatch(1);
        RedisService patient = new RedisService(command -> {
            if (command.name().equals("BLPOP")) {
                awaitQuietly(pushed);
            }
            return "+OK~";
        });
        WindowConfig impatient = new WindowConfig(
                16L * MIB, 64L * MIB, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(60));
        try (PlainServer productionServer = PlainServer.open(patient::serve);
                PlainServer debugServer = PlainServer.open(patient::serve);
                Stage stage = Stage.open(
                        productionServer.address(),
                        debugServer.address(),
                        impatient,
                        ListenerConfig.Framing.REDIS,
                        "");
                Socket waiting = stage.connect();
                Socket other = stage.connect()) {
            send(waiting, command("BLPOP", "queue", "0"));
            await().until(() -> patient.got.size() == 2);
            long begun = System.nanoTime();
            // others go on meanwhile, for longer than any other exchange would be waited for
            await().until(() -> {
                ask(other, command("PING"));
                return System.nanoTime() - begun > Duration.ofSeconds(2).toNanos();
            });
            pushed.countDown();
            expect(waiting, OK);
            await().until(() -> stage.verdicts("SAME").toString().contains("BLPOP queue"));
            assertThat(stage.status().get("notCompared")).isEmpty();
        }
    }

    @Test
    void openConnection_isNotJoined_andCounted() throws Exception {
        try (PlainServer productionServer = PlainServer.open(production::serve);
                PlainServer debugServer = PlainServer.open(debug::serve);
                Stage stage = open(productionServer, debugServer);
                Socket client = stage.connect()) {
            turn(stage, "off");
            ask(client, command("SELECT", "3"));
            turn(stage, "on");
            ask(client, command("GET", "k"));

            stage.awaitStatus(
                    "one that isn't joined", s -> s.get("unjoinedConnections").asInt() == 1);
            assertThat(debug.got).isEmpty();
        }
    }

    @Tag("slow")
    @Test
    void shed_leavesOutWholeTransactions_andNoConnectionState() throws Exception {
        CountDownLatch resumed = new CountDownLatch(1);
        RedisService slow = new RedisService(command -> {
            awaitQuietly(resumed);
            return "+OK~";
        });
        WindowConfig small = new WindowConfig(
                16L * MIB,
                64L * MIB,
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                WindowConfig.Overflow.SHED,
                "",
                16L * MIB);
        int rounds = 1000;
        try (PlainServer productionServer = PlainServer.open(production::serve);
                PlainServer debugServer = PlainServer.open(slow::serve);
                Stage stage = Stage.open(
                        productionServer.address(), debugServer.address(), small, ListenerConfig.Framing.REDIS, "");
                Socket client = stage.connect()) {
            for (int round = 0; round < rounds; round++) {
                String value = "x".repeat(10_000);
                send(
                        client,
                        command("SELECT", "" + round)
                                + command("MULTI")
                                + command("SET", "a", value)
                                + command("SET", "b", value)
                                + command("EXEC")
                                + command("GET", "c"));
                expect(client, OK.repeat(6));
                if (round % 10 == 0) {
                    stage.awaitRoom();
                }
            }
            JsonNode full = stage.awaitStatus(
                    "something left out", s -> !s.get("losses").isEmpty());
            assertThat(full.at("/lanes/open").asInt()).as(full.toPrettyString()).isEqualTo(1);
            resumed.countDown();
            stage.awaitStatus("all verdicts", s -> Stage.total(s) == rounds * 6);
        }
        List<String> whole = new ArrayList<>();
        int transactions = 0;
        for (String got : slow.got) {
            if (got.startsWith("SELECT")) {
                assertThat(got).isEqualTo("SELECT " + whole.size());
                whole.add(got);
            }
            transactions += got.equals("MULTI") ? 1 : 0;
        }
        assertThat(whole).hasSize(rounds);
        assertThat(transactions).isBetween(1, rounds - 1);
        String all = String.join(",", slow.got);
        assertThat(all.split("MULTI,SET a,SET b,EXEC", -1)).hasSize(transactions + 1);
        assertThat(all.split("SET a", -1)).hasSize(transactions + 1);
        assertThat(all.split("EXEC", -1)).hasSize(transactions + 1);
    }

    @Test
    void sampling_byKey_leavesOutWholeCommands_andWholeTransactions() throws Exception {
        Sampling users = new Sampling(1, 1, null, List.of(), List.of("user:"));
        try (PlainServer productionServer = PlainServer.open(production::serve);
                PlainServer debugServer = PlainServer.open(debug::serve);
                Stage stage = sampled(productionServer, debugServer, users)) {
            try (Socket client = stage.connect()) {
                ask(client, command("SELECT", "1"));
                ask(client, command("SET", "user:1", "a"));
                ask(client, command("SET", "order:1", "x".repeat(100_000)));
                ask(client, command("MSET", "order:2", "a", "user:2", "b"));
                ask(client, command("PING"));
                ask(client, command("MULTI"));
                ask(client, command("INCR", "order:3"));
                ask(client, command("EXEC"));
                ask(client, command("MULTI"));
                ask(client, command("INCR", "order:4"));
                ask(client, command("INCR", "user:4"));
                ask(client, command("INCR", "order:5"));
                ask(client, command("EXEC"));
                ask(client, command("WATCH", "order:6"));
                ask(client, command("MULTI"));
                ask(client, command("INCR", "order:6"));
                ask(client, command("EXEC"));
                ask(client, command("MULTI"));
                ask(client, command("INCR", "order:7"));
            }
            JsonNode status =
                    stage.awaitStatus("the end", s -> s.at("/lanes/open").asInt() == 0);
            assertThat(debug.got)
                    .containsExactly(
                            "SELECT 1",
                            "SET user:1",
                            "MSET order:2",
                            "PING",
                            "MULTI",
                            "INCR order:4",
                            "INCR user:4",
                            "INCR order:5",
                            "EXEC",
                            "WATCH order:6",
                            "MULTI",
                            "INCR order:6",
                            "EXEC",
                            "MULTI",
                            "INCR order:7");
            assertThat(status.at("/notSampled/requests").asInt()).isEqualTo(4);
            assertThat(status.at("/verdicts/SAME").asInt()).isEqualTo(15);
            assertThat(status.get("losses")).isEmpty();
            assertThat(status.get("fidelity").asText()).doesNotContain("lost");
        }
    }

    @Test
    void sampling_ofALongTransaction_takesItBeforeItKnows() throws Exception {
        Sampling users = new Sampling(1, 1, null, List.of(), List.of("user:"));
        try (PlainServer productionServer = PlainServer.open(production::serve);
                PlainServer debugServer = PlainServer.open(debug::serve);
                Stage stage = sampled(productionServer, debugServer, users);
                Socket client = stage.connect()) {
            send(client, command("MULTI"));
            for (int n = 0; n < 20; n++) {
                send(client, command("SET", "order:" + n, "x".repeat(10_000)));
            }
            send(client, command("EXEC"));
            expect(client, OK.repeat(22));
            stage.awaitVerdicts("SAME", 22);
            assertThat(debug.got).hasSize(22);
        }
    }

    private static Stage sampled(PlainServer production, PlainServer debug, Sampling sampling) throws IOException {
        ListenerConfig plain = Stage.listener(
                production.address(), debug.address(), ListenerConfig.Framing.REDIS, ListenerConfig.Order.CAUSAL);
        return Stage.open(
                new ListenerConfig(
                        plain.name(),
                        plain.listen(),
                        plain.production(),
                        plain.debug(),
                        plain.protocol(),
                        plain.order(),
                        plain.accept(),
                        new TeeConfig(TeeMode.ON, sampling)),
                Stage.WINDOW,
                new TelemetryConfig("", "sidecar-test", true, ""));
    }

    private static Stage open(PlainServer production, PlainServer debug) throws IOException {
        return Stage.open(production.address(), debug.address(), Stage.WINDOW, ListenerConfig.Framing.REDIS, "");
    }

    private static void turn(Stage stage, String mode) throws Exception {
        java.net.http.HttpRequest request = java.net.http.HttpRequest.newBuilder(
                        stage.controlUri("/v1/listeners/orders/tee"))
                .header("Content-Type", "application/json")
                .PUT(java.net.http.HttpRequest.BodyPublishers.ofString("{\"mode\": \"" + mode + "\"}"))
                .build();
        stage.client.send(request, java.net.http.HttpResponse.BodyHandlers.ofString());
    }

    private static boolean ask(Socket client, String command) throws IOException {
        send(client, command);
        expect(client, OK);
        return true;
    }

    private static void send(Socket client, String wire) throws IOException {
        client.getOutputStream().write(wire.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void expect(Socket client, String reply) throws IOException {
        assertThat(new String(client.getInputStream().readNBytes(reply.length()), StandardCharsets.ISO_8859_1))
                .isEqualTo(reply);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

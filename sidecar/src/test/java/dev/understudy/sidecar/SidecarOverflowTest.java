package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.config.WindowConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A debug JVM that falls behind further than its window is long, or goes away, on connections that go on. */
@Tag("slow")
final class SidecarOverflowTest {
    private static final int MIB = 1 << 20;
    private static final int BODY = 100_000;
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

    private final Map<String, String> production = new ConcurrentHashMap<>();
    private final Map<String, String> debug = new ConcurrentHashMap<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void shed_leavesOutWholeRequests_andGoesOnWhenThereIsRoom(int connections) throws Exception {
        CountDownLatch resumed = new CountDownLatch(1);
        int behind = 200;
        int after = 20;
        try (PlainServer productionServer = PlainServer.open(socket -> serve(socket, production));
                PlainServer debugServer = PlainServer.open(socket -> {
                    resumed.await();
                    serve(socket, debug);
                });
                Stage stage = open(productionServer, debugServer, WindowConfig.Overflow.SHED)) {
            Socket[] clients = new Socket[connections];
            for (int c = 0; c < connections; c++) {
                clients[c] = stage.connect();
            }
            for (int n = 0; n < behind; n++) {
                for (int c = 0; c < connections; c++) {
                    post(clients[c], c + "/" + n);
                }
                if (n % 10 == 0) {
                    stage.awaitRoom();
                }
            }
            JsonNode full = stage.awaitStatus(
                    "something left out", s -> !s.get("losses").isEmpty());
            assertThat(full.get("fidelity").asText()).contains("lost ").contains("bytes: OVERFLOW_");
            assertThat(full.at("/lanes/open").asInt()).isEqualTo(connections);

            resumed.countDown();
            stage.awaitStatus("all verdicts", s -> Stage.total(s) == behind * connections);
            for (int n = behind; n < behind + after; n++) {
                for (int c = 0; c < connections; c++) {
                    post(clients[c], c + "/" + n);
                }
            }
            int all = (behind + after) * connections;
            JsonNode end = stage.awaitStatus("all verdicts", s -> Stage.total(s) == all);
            int same = end.at("/verdicts/SAME").asInt();
            int lost = end.at("/notCompared/OVERFLOW").asInt();
            assertThat(same).as(end.toPrettyString()).isGreaterThan(after * connections);
            assertThat(same + lost).isEqualTo(all);
            assertThat(debug).hasSize(same);
            debug.forEach((path, hash) -> assertThat(hash).isEqualTo(production.get(path)));
            for (int n = behind; n < behind + after; n++) {
                for (int c = 0; c < connections; c++) {
                    assertThat(debug).containsKey(path(c + "/" + n));
                }
            }
            long bytes = 0;
            for (JsonNode reason : end.get("losses")) {
                bytes += reason.get("bytes").asLong();
            }
            long expected = 0;
            for (String path : production.keySet()) {
                expected += debug.containsKey(path) ? 0 : head(path).length() + BODY;
            }
            assertThat(bytes).isEqualTo(expected);
            JsonNode faith = stage.control("/v1/fidelity").at("/listeners/0");
            assertThat(end.get("fidelity").asText())
                    .as(faith.toPrettyString())
                    .contains(", lost " + lost + " exchanges, ");
            assertThat(end.get("rejoinedConnections").asInt()).isZero();
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    @Test
    void close_endsTheCopyOfTheConnection() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (PlainServer productionServer = PlainServer.open(socket -> serve(socket, production));
                PlainServer debugServer = PlainServer.open(socket -> over.await());
                Stage stage = open(productionServer, debugServer, WindowConfig.Overflow.CLOSE);
                Socket client = stage.connect()) {
            for (int n = 0; n < 200; n++) {
                post(client, "0/" + n);
            }
            stage.awaitStatus("the overflow", s -> !s.get("losses").isEmpty());
            int connections = debugServer.connections();
            post(client, "0/200");
            stage.awaitStatus("settled", s -> s.at("/lanes/connected").asInt() == 0);
            assertThat(stage.status().get("rejoinedConnections").asInt()).isZero();
            assertThat(debugServer.connections()).isEqualTo(connections);
            over.countDown();
        }
    }

    @Test
    void copiesThatHaveEnded_keepNothingOfLaterRequests() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        int connections = 40;
        int rounds = 600;
        String request = "GET /later HTTP/1.1\r\nHost: x\r\nX-Long: " + "x".repeat(100) + "\r\n\r\n";
        byte[] bytes = Stage.ascii(request);
        List<Socket> clients = new ArrayList<>();
        WindowConfig small = new WindowConfig(
                256 << 10, MIB, Duration.ofSeconds(60), Duration.ofSeconds(10), Duration.ofSeconds(60));
        try (PlainServer productionServer = PlainServer.open(socket -> {
                    while (socket.getInputStream().readNBytes(bytes.length).length == bytes.length) {
                        PlainServer.write(socket, OK);
                    }
                });
                PlainServer debugServer = PlainServer.open(socket -> over.await());
                Stage stage = Stage.open(productionServer.address(), debugServer.address(), small)) {
            for (int n = 0; n < connections; n++) {
                clients.add(stage.connect());
            }
            long before = usedHeap();
            for (int n = 0; n < rounds * connections; n++) {
                Socket client = clients.get(n % connections);
                client.getOutputStream().write(bytes);
                client.getInputStream().readNBytes(OK.length());
            }
            assertThat(stage.status().at("/losses/OVERFLOW_GLOBAL/events").asInt())
                    .isPositive();
            // 24,000 requests are at least three times that; the list of exchanges takes some of it
            assertThat(usedHeap() - before).as("bytes").isLessThan(6L * MIB);
            for (Socket client : clients) {
                client.close();
            }
        } finally {
            over.countDown();
        }
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void whatIsLeftOfConnections_isChargedUntilDebugIsDone() throws Exception {
        CountDownLatch resumed = new CountDownLatch(1);
        Random random = new Random(7);
        List<Socket> clients = new ArrayList<>();
        int connections = 60;
        try (PlainServer productionServer = PlainServer.open(HashingService::serve);
                PlainServer debugServer = PlainServer.open(socket -> {
                    resumed.await();
                    HashingService.serve(socket);
                });
                Stage stage = Stage.open(productionServer.address(), debugServer.address())) {
            for (int n = 0; n < connections; n++) {
                clients.add(stage.connect());
                HashingService.ask(clients.get(n), random, 64);
            }
            stage.awaitStatus("all framed", s -> s.at("/exchanges/production").asInt() == connections);
            long open = occupancy(stage);
            for (Socket client : clients) {
                client.close();
            }
            stage.awaitStatus("the rest of them charged", s -> occupancy(stage) > open + connections * (5L << 10));
            resumed.countDown();
            stage.awaitVerdicts("SAME", connections);
            stage.awaitStatus("all of it given back", s -> occupancy(stage) == 0);
        } finally {
            resumed.countDown();
        }
    }

    private static long occupancy(Stage stage) {
        return stage.control("/v1/status").at("/window/occupancyBytes").asLong();
    }

    @Test
    void debugJvm_thatClosesAConnectionTooEarly_getsTheNextRequestOnAnotherOne() throws Exception {
        AtomicInteger debugConnections = new AtomicInteger();
        try (PlainServer productionServer = PlainServer.open(socket -> serve(socket, production));
                PlainServer debugServer = PlainServer.open(socket -> {
                    if (debugConnections.incrementAndGet() == 1) {
                        one(socket, debug);
                        PlainServer.reset(socket);
                    } else {
                        serve(socket, debug);
                    }
                });
                Stage stage = open(productionServer, debugServer, WindowConfig.Overflow.CLOSE);
                Socket client = stage.connect()) {
            post(client, "0/0");
            stage.awaitStatus(
                    "the first",
                    s -> Stage.total(s) == 1 && s.at("/lanes/connected").asInt() == 0);
            for (int n = 1; n < 10; n++) {
                post(client, "0/" + n);
            }
            JsonNode status = stage.awaitStatus("all verdicts", s -> Stage.total(s) == 10);
            assertThat(status.at("/verdicts/SAME").asInt())
                    .as(status.toPrettyString())
                    .isEqualTo(10);
            assertThat(status.get("rejoinedConnections").asInt()).isEqualTo(1);
            assertThat(status.get("losses")).isEmpty();
            assertThat(debugConnections).hasValue(2);
            assertThat(debug).isEqualTo(production);
            assertThat(stage.control("/v1/fidelity").toString()).contains("faithful: 10 of 10 exchanges");
        }
    }

    private static Stage open(PlainServer production, PlainServer debug, WindowConfig.Overflow overflow)
            throws IOException {
        return Stage.open(
                production.address(),
                debug.address(),
                new WindowConfig(
                        16L * MIB,
                        32L * MIB,
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(60),
                        overflow,
                        "",
                        16L * MIB));
    }

    private static String path(String name) {
        return "/" + name;
    }

    private static String head(String path) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + BODY + "\r\n\r\n";
    }

    private static void post(Socket client, String name) throws IOException {
        byte[] body = new byte[BODY];
        new Random(name.hashCode()).nextBytes(body);
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(Stage.ascii(head(path(name))));
        request.writeBytes(body);
        request.writeTo(client.getOutputStream());
        assertThat(PlainServer.readUntil(client, "{}")).startsWith("HTTP/1.1 200");
    }

    /** Answers every request and keeps the hash of its body. */
    private static void serve(Socket socket, Map<String, String> seen) throws Exception {
        while (one(socket, seen)) {
            // until the client ends
        }
    }

    private static boolean one(Socket socket, Map<String, String> seen) throws Exception {
        String head = PlainServer.readUntil(socket, "\r\n\r\n");
        if (head.isEmpty()) {
            return false;
        }
        byte[] body = socket.getInputStream().readNBytes(BODY);
        MessageDigest hash = MessageDigest.getInstance("SHA-256");
        seen.put(
                head.substring(head.indexOf(' ') + 1, head.indexOf(" HTTP")),
                HexFormat.of().formatHex(hash.digest(body)));
        PlainServer.write(socket, OK);
        return true;
    }
}

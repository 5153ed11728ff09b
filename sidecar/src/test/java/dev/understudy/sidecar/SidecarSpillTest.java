package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.TinyDisk;
import dev.understudy.sidecar.config.WindowConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** A window of which most is on disk, with a debug JVM that takes nothing for a while. */
@Tag("slow")
final class SidecarSpillTest {
    private static final int MIB = 1 << 20;
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

    @TempDir
    Path folder;

    @Test
    void stoppedDebugJvm_catchesUpFromDisk_withEveryByteAndVerdict() throws Exception {
        CountDownLatch resumed = new CountDownLatch(1);
        Map<String, String> production = new ConcurrentHashMap<>();
        Map<String, String> debug = new ConcurrentHashMap<>();
        int connections = 8;
        int requests = 20;
        int all = connections * requests;
        try (PlainServer productionServer = PlainServer.open(socket -> serve(socket, production));
                PlainServer debugServer = PlainServer.open(socket -> {
                    resumed.await();
                    serve(socket, debug);
                });
                Stage stage = Stage.open(productionServer.address(), debugServer.address(), window(448L * MIB))) {
            Thread[] clients = new Thread[connections];
            for (int n = 0; n < connections; n++) {
                int number = n;
                clients[n] = new Thread(() -> post(stage, number, requests));
                clients[n].start();
            }
            for (Thread client : clients) {
                client.join();
            }
            JsonNode full = stage.control("/v1/status").get("window");
            assertThat(full.get("diskBytes").asLong()).as(full.toPrettyString()).isGreaterThan(96L * MIB);
            assertThat(full.get("peakBytes").asLong()).isLessThanOrEqualTo(64L * MIB);
            assertThat(full.get("utilisation").asDouble()).isBetween(0.2, 0.5);
            assertThat(full.get("pending").asLong()).isBetween(all / 2L, all * 2L);
            assertThat(debug).isEmpty();

            resumed.countDown();
            JsonNode status = stage.awaitStatus("all verdicts", s -> Stage.total(s) == all);
            assertThat(status.at("/verdicts/SAME").asInt())
                    .as(status.toPrettyString())
                    .isEqualTo(all);
            assertThat(status.get("losses")).isEmpty();
            assertThat(debug).hasSize(all).isEqualTo(production);
            stage.awaitStatus(
                    "disk given back",
                    s -> stage.control("/v1/status").at("/window/diskBytes").asLong() == 0);
            assertThat(segments()).isEmpty();
        }
        await().untilAsserted(() -> assertThat(folder).isEmptyDirectory());
    }

    @Test
    void diskBudget_thatIsUsedUp_losesExchangesAndCountsThem() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Map<String, String> production = new ConcurrentHashMap<>();
        try (PlainServer productionServer = PlainServer.open(socket -> serve(socket, production));
                PlainServer debugServer = PlainServer.open(socket -> over.await());
                Stage stage = Stage.open(productionServer.address(), debugServer.address(), window(16L * MIB))) {
            post(stage, 1, 80);
            assertThat(production).hasSize(80);
            JsonNode status = stage.awaitStatus(
                    "the overflow", s -> s.at("/losses/OVERFLOW_DISK/events").asInt() == 1);
            assertThat(status.get("fidelity").asText())
                    .as(status.toPrettyString())
                    .startsWith("faithful up to exchange 0, lost at least ")
                    .endsWith("bytes: OVERFLOW_DISK");
            JsonNode end = stage.awaitStatus(
                    "every byte accounted for", s -> s.at("/lanes/open").asInt() == 0);
            long sent = end.at("/bytes/request").asLong();
            stage.awaitStatus(
                    "all " + sent + " bytes lost or written",
                    s -> s.at("/losses/OVERFLOW_DISK/bytes").asLong() > sent - 16L * MIB);
            assertThat(stage.status().at("/losses/OVERFLOW_DISK/bytes").asLong())
                    .isLessThanOrEqualTo(sent);
            stage.awaitStatus(
                    "disk given back",
                    s -> stage.control("/v1/status").at("/window/diskBytes").asLong() == 0);
            over.countDown();
        }
    }

    /** The file system has two megabytes, whatever the budget says. */
    @Test
    void fullDisk_endsTheWindowWithItsReason_andProductionIsServedOn() throws Exception {
        CountDownLatch resumed = new CountDownLatch(1);
        Map<String, String> production = new ConcurrentHashMap<>();
        Map<String, String> debug = new ConcurrentHashMap<>();
        try (TinyDisk disk = TinyDisk.mount(folder.resolve("tiny"));
                PlainServer productionServer = PlainServer.open(socket -> serve(socket, production));
                PlainServer debugServer = PlainServer.open(socket -> {
                    resumed.await();
                    serve(socket, debug);
                });
                Stage stage = Stage.open(
                        productionServer.address(), debugServer.address(), window(disk.folder, 1024L * MIB))) {
            post(stage, 1, 40);
            assertThat(production).hasSize(40);
            JsonNode status = stage.awaitStatus(
                    "the overflow", s -> s.at("/losses/SPILL_FAILED/events").asInt() > 0);
            assertThat(status.get("fidelity").asText())
                    .as(status.toPrettyString())
                    .startsWith("faithful up to exchange 0, lost ")
                    .endsWith("bytes: SPILL_FAILED");
            assertThat(stage.control("/v1/status").at("/window/diskBytes").asLong())
                    .isLessThanOrEqualTo(2L * MIB);

            resumed.countDown();
            stage.awaitStatus("no lane", s -> s.at("/lanes/open").asInt() == 0);
            post(stage, 2, 1);
            stage.awaitStatus("a verdict", s -> s.at("/verdicts/SAME").asInt() > 0);
            assertThat(debug.get("POST /2/0")).isNotNull().isEqualTo(production.get("POST /2/0"));
        }
    }

    private WindowConfig window(long disk) {
        return window(folder, disk);
    }

    private static WindowConfig window(Path directory, long disk) {
        return new WindowConfig(
                16L * MIB,
                64L * MIB,
                Duration.ofSeconds(120),
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                WindowConfig.Overflow.CLOSE,
                directory.toString(),
                disk);
    }

    /** Posts no faster than the disk takes it: a disk that is slower than the traffic is an overflow. */
    private static void post(Stage stage, int connection, int requests) {
        try (Socket socket = stage.connect()) {
            byte[] body = new byte[MIB];
            for (int n = 0; n < requests; n++) {
                new Random(connection * 1000L + n).nextBytes(body);
                stage.awaitStatus("room", s -> memoryBytes(stage) < 44L * MIB);
                PlainServer.write(
                        socket,
                        "POST /" + connection + "/" + n + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + MIB
                                + "\r\n\r\n");
                socket.getOutputStream().write(body);
                assertThat(PlainServer.readUntil(socket, "{}")).startsWith("HTTP/1.1 200");
            }
        } catch (Exception e) {
            throw new AssertionError("connection " + connection, e);
        }
    }

    private static long memoryBytes(Stage stage) {
        return stage.control("/v1/status").at("/window/memoryBytes").asLong();
    }

    /** Answers every request and keeps the hash of its body. */
    private static void serve(Socket socket, Map<String, String> seen) throws Exception {
        for (String head = PlainServer.readUntil(socket, "\r\n\r\n");
                head.endsWith("\r\n\r\n");
                head = PlainServer.readUntil(socket, "\r\n\r\n")) {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            hash.update(body(socket.getInputStream()));
            seen.put(head.substring(0, head.indexOf(" HTTP")), HexFormat.of().formatHex(hash.digest()));
            PlainServer.write(socket, OK);
        }
    }

    private static byte[] body(InputStream in) throws IOException {
        return in.readNBytes(MIB);
    }

    private Stream<Path> segments() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("segment")).toList().stream();
        }
    }
}

package dev.understudy.aggregator;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A real aggregator in a process of its own is killed while it holds a journal. */
@Tag("process")
@Tag("slow")
class JournalKillTest {
    private static final int REPLY = 40_000;

    /** Bytes of two MiB beyond which the disk is waited for, so that nothing is evicted because it is slow. */
    private static final int ROOM = 1_700_000;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger served = new AtomicInteger();
    private HttpServer upstream;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        upstream.createContext("/", exchange -> {
            byte[] body = body(exchange.getRequestURI().getPath(), served.incrementAndGet())
                    .getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        upstream.start();
    }

    @AfterEach
    void close() {
        upstream.stop(0);
    }

    @Test
    void killedAggregator_answersFromWhatWasOnDiskWhenItIsBack_andProductionGoesOnAtOnce() throws Exception {
        int exchanges = 150;
        long onDisk;
        try (AggregatorProcess first = running()) {
            for (int i = 0; i < exchanges; i++) {
                assertThat(get(first.production, "/" + i).statusCode()).isEqualTo(200);
                Eventually.await(() -> first.number("bytes") < ROOM);
            }
            Eventually.await(() -> first.number("unused") == exchanges);
            for (int i = 0; i < 20; i++) {
                assertThat(get(first.debug, "/" + i).body()).startsWith("/" + i + " " + (i + 1) + " ");
            }
            onDisk = first.onDisk();
            assertThat(onDisk).isGreaterThan(70);
            first.kill();
        }
        try (AggregatorProcess second = running()) {
            assertThat(get(second.production, "/new").statusCode()).isEqualTo(200);
            Eventually.await(() -> second.status().contains("\"loading\":false"));
            long reloaded = second.number("reloaded");
            assertThat(reloaded).isBetween(onDisk, onDisk + 20);
            int before = served.get();
            for (int i = 20; i < 20 + onDisk; i++) {
                assertThat(get(second.debug, "/" + i).body()).startsWith("/" + i + " " + (i + 1) + " ");
            }
            HttpResponse<String> taken = get(second.debug, "/3");
            assertThat(taken.statusCode()).as("taken before the kill").isGreaterThanOrEqualTo(500);
            assertThat(served.get()).as("what reached the real server").isEqualTo(before);
        }
    }

    @Test
    void aggregatorKilledInMidLoad_leavesAReadableJournal_ofWhatProductionGot() throws Exception {
        Map<String, String> got = new ConcurrentHashMap<>();
        List<Thread> load = new ArrayList<>();
        long onDisk;
        try (AggregatorProcess first = running()) {
            for (int n = 0; n < 3; n++) {
                String name = "/" + n + "-";
                Thread caller = new Thread(() -> callUntilItFails(first.production, name, got));
                caller.start();
                load.add(caller);
            }
            Eventually.await(() -> first.onDisk() > 70);
            onDisk = first.onDisk();
            first.kill();
        } finally {
            for (Thread caller : load) {
                caller.join();
            }
        }
        try (AggregatorProcess second = running()) {
            Eventually.await(() -> second.status().contains("\"loading\":false"));
            assertThat(second.number("reloaded")).isGreaterThanOrEqualTo(onDisk);
            int right = 0;
            int before = served.get();
            for (Map.Entry<String, String> one : got.entrySet()) {
                HttpResponse<String> replayed = get(second.debug, one.getKey());
                if (replayed.statusCode() == 200) {
                    assertThat(replayed.body()).isEqualTo(one.getValue());
                    right++;
                }
            }
            assertThat(right).isGreaterThanOrEqualTo((int) onDisk - 3);
            assertThat(served.get()).as("what reached the real server").isEqualTo(before);
            assertThat(get(second.production, "/new").statusCode()).isEqualTo(200);
        }
    }

    private void callUntilItFails(String address, String name, Map<String, String> got) {
        try {
            for (int i = 0; ; i++) {
                got.put(name + i, get(address, name + i).body());
            }
        } catch (Exception killed) {
            return;
        }
    }

    @Test
    void stoppedAggregator_leavesAllOfItsJournalToTheNext() throws Exception {
        try (AggregatorProcess first = running()) {
            for (int i = 0; i < 70; i++) {
                get(first.production, "/" + i);
                Eventually.await(() -> first.number("bytes") < ROOM);
            }
            Eventually.await(() -> first.number("unused") == 70);
            first.stop();
        }
        try (AggregatorProcess second = running()) {
            Eventually.await(() -> second.number("reloaded") == 70);
            for (int i = 0; i < 70; i++) {
                assertThat(get(second.debug, "/" + i).body()).startsWith("/" + i + " " + (i + 1) + " ");
            }
        }
    }

    private static String body(String path, int count) {
        return path + " " + count + " " + "x".repeat(REPLY);
    }

    private HttpResponse<String> get(String address, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://" + address + path)).build(), BodyHandlers.ofString());
    }

    private AggregatorProcess running() throws IOException {
        return AggregatorProcess.start(folder, "http", upstream.getAddress().getPort());
    }
}

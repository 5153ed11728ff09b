package dev.understudy.it.exhaust;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.it.stage.TeeStage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Callers of the control port take what they can get of a sidecar in one process, with a heap of 128 MiB and 400
 * descriptors. It asks for no token. Production's customers notice nothing, and the operator still gets answers.
 */
@Tag("any-jdk")
class ControlPortIT {
    private static final String CONFINED = "ulimit -n 400; export JDK_JAVA_OPTIONS=-Xmx128m; exec \"$0\" \"$@\"";
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int MEBI = 1 << 20;

    @TempDir
    Path folder;

    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final List<Socket> sockets = new ArrayList<>();
    private final AtomicLong taken = new AtomicLong();
    private final Customers customers = new Customers();

    @SuppressWarnings("NullAway.Init")
    private HttpServer production;

    @SuppressWarnings("NullAway.Init")
    private HttpServer debug;

    @SuppressWarnings("NullAway.Init")
    private TeeStage stage;

    @BeforeEach
    void open() throws IOException {
        production = customers.server();
        debug = customers.server();
        String listener = "production: 127.0.0.1:%d, debug: 127.0.0.1:%d, protocol: http"
                .formatted(production.getAddress().getPort(), debug.getAddress().getPort());
        stage = TeeStage.open(folder, List.of("bash", "-c", CONFINED), listener, "tap.carrier=inline");
        customers.begin(stage.port());
        awaitServed(50);
    }

    @AfterEach
    void close() throws IOException {
        leave();
        callers.shutdownNow();
        customers.close();
        stage.sidecar().close(); // one that has run out of memory may not come to an end by itself
        production.stop(0);
        debug.stop(0);
    }

    @Test
    void pipelinedRequests_whoseRepliesNobodyReads_leaveProductionAlone() throws Exception {
        byte[] many =
                "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1_000).getBytes(StandardCharsets.US_ASCII);
        byte[] refused = "GET /v1/nowhere HTTP/1.1\r\n\r\n".repeat(1_000).getBytes(StandardCharsets.US_ASCII);
        for (int n = 0; n < 8; n++) {
            Socket silent = connect();
            callers.execute(() -> flood(silent, silent.getLocalPort() % 2 == 0 ? many : refused, 13 * MEBI));
        }
        for (int n = 0; n < 20; n++) {
            send(connect(), "GET /v1/window HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
        attackUntilNothingIsTaken();

        assertUnharmed();
    }

    @Test
    void largeBodies_leaveProductionAlone() throws Exception {
        for (int n = 0; n < 70; n++) {
            Socket large = connect();
            send(
                    large,
                    "POST /v1/stacks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                            + 4 * MEBI + "\r\n\r\n");
            callers.execute(() -> flood(large, new byte[64 << 10], 4 * MEBI - 1));
        }
        attackUntilNothingIsTaken();

        assertUnharmed();
    }

    @Test
    void silentConnections_leaveProductionAlone_andTheOperatorIsServed() throws Exception {
        for (int n = 0; n < 380; n++) {
            connect();
        }
        awaitServed(100);

        assertUnharmed();
        assertThat(metric("understudy_control_evicted_total{reason=\"evicted\"}"))
                .isGreaterThan(300);
        assertThat(metric("understudy_control_connections")).isLessThanOrEqualTo(64);
    }

    @Test
    void reportsOfEmptyArrays_leaveProductionAlone() throws Exception {
        List<Integer> answers = new ArrayList<>();
        for (int n = 0; n < 12; n++) {
            answers.add(report("large" + n, 340_000));
        }
        for (int n = 0; n < 64; n++) {
            answers.add(report("small" + n, 45_000));
        }
        awaitServed(100);
        assertThat(answers.subList(0, 12)).containsOnly(400);
        assertThat(answers.subList(12, 76)).containsOnly(200);
        for (String path : List.of("/v1/agent", "/v1/orders", "/v1/suspects")) {
            assertThat(stage.read(path)).as(path).isNotEmpty();
        }

        assertUnharmed();
    }

    /** Until the sidecar has taken nothing more for two seconds; production has to serve meanwhile. */
    private void attackUntilNothingIsTaken() {
        long before = -1;
        long since = System.nanoTime();
        while (System.nanoTime() - since < TimeUnit.SECONDS.toNanos(2)) {
            awaitServed(20);
            if (taken.get() != before) {
                before = taken.get();
                since = System.nanoTime();
            }
        }
    }

    private void awaitServed(int more) {
        int wanted = customers.served() + more;
        await("production's replies")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() ->
                        customers.served() >= wanted || !customers.failures().isEmpty());
        assertThat(customers.failures()).isEmpty();
    }

    /** While the callers are still there, and after they have left. */
    private void assertUnharmed() throws Exception {
        assertThat(stage.read("/v1/status").at("/listeners/0/name").asText()).isEqualTo("server");
        awaitServed(50);
        leave();
        awaitServed(50);
        assertThat(stage.sidecar().process().isAlive()).isTrue();
        assertThat(stage.sidecar().output()).doesNotContain("OutOfMemory", "OutOfDirectMemory", "Too many open files");
    }

    private double metric(String name) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(stage.control() + "/metrics")).build();
        String all = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
        return all.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(-1);
    }

    /** A report with so many empty arrays; the status of its answer. */
    private int report(String agent, int arrays) throws Exception {
        String body = "{\"name\":\"" + agent + "\",\"x\":[" + "[],".repeat(arrays) + "[]]}";
        HttpRequest request = HttpRequest.newBuilder(URI.create(stage.control() + "/v1/agent"))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private Socket connect() throws IOException {
        URI control = URI.create(stage.control());
        Socket socket = new Socket();
        socket.setReceiveBufferSize(16 << 10);
        socket.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), control.getPort()), (int) PATIENCE.toMillis());
        sockets.add(socket);
        return socket;
    }

    /** Sends this again and again, up to so many bytes, as far as they are taken. */
    private void flood(Socket socket, byte[] again, int most) {
        try {
            for (int sent = 0; sent < most; sent += again.length) {
                socket.getOutputStream().write(again, 0, Math.min(again.length, most - sent));
                taken.addAndGet(again.length);
            }
        } catch (IOException ended) {
            // by the sidecar or by the test: both are as it should be
        }
    }

    private static void send(Socket socket, String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException closed) {
            // the sidecar may have no room for this one
        }
    }

    private void leave() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }
}

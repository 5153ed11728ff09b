package dev.understudy.session.renewal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.Sidecar;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A sidecar with a session's settings asks the session for fresh copies, for each reason that there may be. */
@Tag("process")
final class RenewalCausesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch renewed = new CountDownLatch(1);
    private final List<String> made = new CopyOnWriteArrayList<>();
    private HttpServer production;
    private HttpServer copy;
    private CloneWebhook webhook;

    @BeforeEach
    void open() throws IOException {
        production = server("production");
        copy = server("copy");
        webhook = CloneWebhook.open(Duration.ZERO);
        webhook.serve((epoch, cause) -> {
            made.add(epoch + " " + cause);
            renewed.countDown();
        });
    }

    @AfterEach
    void close() {
        renewed.countDown();
        webhook.close();
        production.stop(0);
        copy.stop(0);
        threads.shutdownNow();
    }

    @Test
    void aFreshCopy_isMade_asOftenAsItIsSaid() throws Exception {
        try (Sidecar sidecar =
                sidecar(new RenewalPlan(Duration.ofSeconds(1), "never", false, Duration.ofSeconds(10)))) {
            await().atMost(PATIENCE).until(() -> made.size() >= 2);

            assertThat(made.subList(0, 2)).containsExactly("2 PERIODIC", "3 PERIODIC");
            assertThat(epochs(sidecar).path(1).path("cause").asText()).isEqualTo("PERIODIC");
        }
    }

    @Test
    void aFreshCopy_isMade_onceAReplyDiffers() throws Exception {
        try (Sidecar sidecar = sidecar(new RenewalPlan(Duration.ZERO, "first", false, Duration.ofSeconds(10)))) {
            assertThat(send(sidecar, "/who", "")).isEqualTo("production");

            awaitFreshCopy(sidecar);
            assertThat(made).containsExactly("2 DIVERGENCE");
        }
    }

    @Test
    void aFreshCopy_isMade_onceRequestsAreLost() throws Exception {
        try (Sidecar sidecar = sidecar(new RenewalPlan(Duration.ZERO, "never", true, Duration.ofSeconds(10)))) {
            for (int n = 0; n < 12; n++) {
                send(sidecar, "/stuck", "x".repeat(100_000));
            }

            awaitFreshCopy(sidecar);
            // the first may come while requests are still sent, and what is sent then be lost again
            assertThat(made).first().isEqualTo("2 OVERFLOW");
        }
    }

    private void awaitFreshCopy(Sidecar sidecar) {
        await().atMost(PATIENCE)
                .until(() -> epochs(sidecar).path(1).path("state").asText().equals("done"));
    }

    private HttpServer server(String name) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                if (name.equals("copy") && exchange.getRequestURI().getPath().equals("/stuck")) {
                    renewed.await();
                }
                exchange.getRequestBody().readAllBytes();
                byte[] body = name.getBytes(StandardCharsets.US_ASCII);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        return server;
    }

    /** The session's own settings, but for the pause, which is too long for a test. */
    private Sidecar sidecar(RenewalPlan plan) throws IOException {
        Map<String, Object> resync = new HashMap<>(plan.settings(webhook.address()));
        resync.put("pause", "0s");
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners: [{name: orders, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: '127.0.0.1:%d'}]
                window: {lane-memory: 256KiB, memory: 512KiB}
                control: {listen: '127.0.0.1:0', anonymous: admin}
                drain: 10ms
                resync: %s
                """.formatted(
                production.getAddress().getPort(), copy.getAddress().getPort(), JSON.writeValueAsString(resync)));
        Problems problems = new Problems();
        SidecarConfig config = SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems);
        return Sidecar.start(config);
    }

    private static String send(Sidecar sidecar, String path, String body) throws Exception {
        int port = Objects.requireNonNull(sidecar.addresses().get("orders")).getPort();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .POST(BodyPublishers.ofString(body))
                .build();
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(request, BodyHandlers.ofString())
                .body();
    }

    private static JsonNode epochs(Sidecar sidecar) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + sidecar.controlAddress().getPort() + "/v1/resync");
        return JSON.readTree(HttpClient.newHttpClient()
                        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                        .body())
                .path("epochs");
    }
}

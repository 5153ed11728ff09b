package dev.understudy.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.it.stage.TeeStage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** SIGTERM while clients keep coming: what production has been asked is answered, whole. */
@Tag("any-jdk")
class StopUnderLoadIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int CLIENTS = 16;
    private static final int REPLY = 20_000;
    private static final Duration SERVICE = Duration.ofMillis(40);

    @TempDir
    Path folder;

    private final Set<Integer> asked = ConcurrentHashMap.newKeySet();
    private final Set<Integer> answered = ConcurrentHashMap.newKeySet();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void terminatedUnderLoad_answersWhatItTook_andExitsWithZero() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        HttpServer production = serving(threads, asked);
        HttpServer debug = serving(threads, ConcurrentHashMap.newKeySet());
        try (TeeStage stage = TeeStage.open(
                folder,
                "http",
                production.getAddress().getPort(),
                debug.getAddress().getPort(),
                "drain=60s")) {
            for (int n = 0; n < CLIENTS; n++) {
                threads.execute(() -> load(stage.port()));
            }
            await("load").atMost(PATIENCE).until(() -> answered.size() > 200);

            int before = requests.get();
            stage.sidecar().process().destroy();
            assertThat(stage.sidecar().exitCode(PATIENCE.multipliedBy(2))).isZero();
            over.set(true);
            threads.shutdown();
            assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();

            assertThat(requests.get()).as("clients that came after the signal").isGreaterThan(before);
            assertThat(answered).as("of %d requests", requests.get()).containsAll(asked);
            assertThat(stage.sidecar().output()).contains("server: faithful");
        } finally {
            over.set(true);
            production.stop(0);
            debug.stop(0);
            threads.shutdownNow();
        }
    }

    /** One connection for each request; those that aren't accepted any more are the client's to try elsewhere. */
    private void load(int port) {
        while (!over.get()) {
            int id = requests.incrementAndGet();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout((int) PATIENCE.toMillis());
                socket.getOutputStream()
                        .write(("GET /" + id + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                byte[] reply = socket.getInputStream().readAllBytes();
                String text = new String(reply, StandardCharsets.US_ASCII);
                if (text.startsWith("HTTP/1.1 200") && text.endsWith("." + id)) {
                    answered.add(id);
                }
            } catch (IOException notTaken) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private static HttpServer serving(ExecutorService threads, Set<Integer> asked) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, asked));
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange, Set<Integer> asked) throws IOException {
        int id = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
        asked.add(id);
        LockSupport.parkNanos(SERVICE.toNanos());
        byte[] reply = (".".repeat(REPLY) + id).getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(200, reply.length);
        exchange.getResponseBody().write(reply);
        exchange.close();
    }
}

package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.sidecar.SidecarProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The wall clock jumps an hour forth and two back while a sidecar in a process of its own is at work. */
@Tag("process")
final class ClockJumpTest {
    private static final List<Path> LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"));
    private static final int FEW = 40;
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private final Semaphore arrived = new Semaphore(0);
    private final Semaphore released = new Semaphore(0);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void wallClockThatJumps_changesNeitherBytesNorVerdicts() throws Exception {
        Optional<Path> library = LIBRARIES.stream().filter(Files::exists).findFirst();
        assumeTrue(
                library.isPresent() || "required".equals(System.getProperty("understudy.programs")),
                "skipped: libfaketime isn't installed (Debian's package faketime)");
        Path offset = Files.writeString(folder.resolve("offset"), "+0\n");
        HttpServer production = echoing(false);
        HttpServer debug = echoing(true);
        try (SidecarProgram sidecar = start(library.orElseThrow(), offset, production, debug)) {
            String url = "http://" + sidecar.address("shop");
            String control = "http://" + sidecar.address("control");

            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Integer> load = CompletableFuture.supplyAsync(() -> send(url, over));
            awaitMore(control, 0);
            jump(offset, "+3600s", url, control, Duration.ofMinutes(50), Duration.ofMinutes(70));
            int afterThat = agreed(control);
            awaitMore(control, afterThat);
            jump(offset, "-3600s", url, control, Duration.ofMinutes(-70), Duration.ofMinutes(-50));
            int afterThis = agreed(control);
            awaitMore(control, afterThis);
            over.set(true);
            int all = load.get(60, TimeUnit.SECONDS) + 2;

            await().until(() -> agreed(control) == all);
            JsonNode listener = ask(control).at("/listeners/0");
            assertThat(listener.get("losses")).as(listener.toPrettyString()).isEmpty();
            assertThat(listener.get("notCompared")).isEmpty();
            assertThat(listener.get("lateReplies").asInt()).isZero();
            assertThat(listener.at("/latencyMillis/production/max").asDouble()).isBetween(0.0, 60_000.0);
            assertThat(listener.get("fidelity").asText()).isEqualTo("faithful: " + all + " of " + all + " exchanges");
        } finally {
            released.release(2);
            production.stop(0);
            debug.stop(0);
        }
    }

    private SidecarProgram start(Path library, Path offset, HttpServer production, HttpServer debug)
            throws IOException {
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - {name: shop, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: '127.0.0.1:%d'}
                window: {reply-timeout: 20s, order-wait: 20s, connect-wait: 20s}
                control: {listen: '127.0.0.1:0', anonymous: admin}
                """.formatted(
                        production.getAddress().getPort(), debug.getAddress().getPort()));
        return SidecarProgram.start(settings, program -> {
            program.environment().put("LD_PRELOAD", library.toString());
            program.environment().put("FAKETIME_TIMESTAMP_FILE", offset.toString());
            program.environment().put("FAKETIME_CACHE_DURATION", "1");
            // A clock that jumps is the wall clock; the other one never does.
            program.environment().put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
            program.environment().put("DONT_FAKE_MONOTONIC", "1");
        });
    }

    /** While an exchange waits for the debug JVM: what had a time on the wall clock would be over now, or never. */
    private void jump(Path offset, String to, String url, String control, Duration least, Duration most)
            throws Exception {
        assertThat(post(url + "/held", "held")).isEqualTo("held");
        assertThat(arrived.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        Files.writeString(offset, to + "\n");
        await().until(() -> {
            Duration away = Duration.between(Instant.now(), wallClock(control));
            return away.compareTo(least) > 0 && away.compareTo(most) < 0;
        });
        released.release();
    }

    /** What the sidecar takes the time to be. */
    private Instant wallClock(String control) throws Exception {
        return Instant.ofEpochMilli(ask(control).at("/window/at").asLong());
    }

    private void awaitMore(String control, int than) {
        await().until(() -> agreed(control) > than + FEW);
    }

    private int agreed(String control) throws Exception {
        JsonNode verdicts = ask(control).at("/listeners/0/verdicts");
        return verdicts.get("SAME").asInt() + verdicts.get("EQUIVALENT").asInt();
    }

    private JsonNode ask(String control) throws Exception {
        URI status = URI.create(control + "/v1/status");
        return JSON.readTree(client.send(HttpRequest.newBuilder(status).build(), BodyHandlers.ofString())
                .body());
    }

    /** Sends one request after the other until told not to; returns how many. */
    private int send(String url, AtomicBoolean over) {
        try {
            int n = 0;
            for (; !over.get(); n++) {
                String said = "request " + n + ", ".repeat(n % 300);
                assertThat(post(url + "/" + n, said)).isEqualTo(said);
                Thread.sleep(5);
            }
            return n;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String post(String url, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    /** @param holds whether a request for {@code /held} is answered only when it is released */
    private HttpServer echoing(boolean holds) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (holds && exchange.getRequestURI().getPath().equals("/held")) {
                arrived.release();
                released.acquireUninterruptibly();
            }
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }
}

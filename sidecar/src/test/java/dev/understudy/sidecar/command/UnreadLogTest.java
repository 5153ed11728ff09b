package dev.understudy.sidecar.command;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.sidecar.SidecarProgram;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A sidecar in a process of its own whose standard error is a pipe, and nobody reads that. */
@Tag("process")
final class UnreadLogTest {
    /** So long that a line of the log, which names it, is nearly 4 KiB. */
    private static final String NAME = "shop".repeat(900);

    /** Each is a line; a pipe holds 64 KiB. */
    private static final int STORM = 1300;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(60))
            .build();

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"text", "json"})
    void sidecar_relaysOn_andTellsWhatWasLost_onceSomebodyReads(String format) throws Exception {
        HttpServer production = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        production.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        production.start();
        Path settings = Files.writeString(
                folder.resolve("sidecar.yaml"),
                "listeners: [{name: " + NAME + ", listen: '127.0.0.1:0', production: '127.0.0.1:"
                        + production.getAddress().getPort() + "', debug: '127.0.0.1:1'}]\n"
                        + "control: {listen: '127.0.0.1:0', anonymous: admin}\ndrain: 100ms\n");
        try (SidecarProgram sidecar = SidecarProgram.start(
                settings,
                List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=debug"),
                program -> program.redirectError(ProcessBuilder.Redirect.PIPE)
                        .command()
                        .addAll(List.of("--log-format", format)))) {
            String shop = "http://" + sidecar.address(NAME);
            String control = "http://" + sidecar.address("control");
            for (int n = 0; n < STORM; n++) {
                turn(control, n % 2 == 0 ? "off" : "on");
                if (n % 20 == 0) {
                    assertThat(ask(shop + "/" + n)).as("request " + n).isEqualTo(204);
                }
            }
            List<String> lines;
            sidecar.terminate();
            try (BufferedReader log = sidecar.process.errorReader(StandardCharsets.UTF_8)) {
                lines = log.lines().toList();
            }
            assertThat(sidecar.process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(sidecar.process.exitValue()).isZero();
            assertThat(lines).anyMatch(line -> line.contains("log lines lost"));
            assertThat(lines).hasSizeGreaterThan(400);
        } finally {
            production.stop(0);
        }
    }

    private void turn(String control, String mode) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(control + "/v1/listeners/" + NAME + "/tee"))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"mode\":\"" + mode + "\"}"))
                .build();
        HttpResponse<Void> reply = client.send(request, BodyHandlers.discarding());
        assertThat(reply.statusCode()).isEqualTo(200);
    }

    private int ask(String uri) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(uri))
                .timeout(Duration.ofSeconds(60))
                .build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }
}

package dev.understudy.aggregator.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The command as a process of its own. */
@Tag("process")
class MainTest {
    private static final String RIGHT = """
            upstreams:
              - name: test
                protocol: redis
                production: { listen: 127.0.0.1:0, upstream: 127.0.0.1:1 }
                debug: { listen: 127.0.0.1:0 }
            control: { listen: 127.0.0.1:0, anonymous: admin }
            tap: { carrier: inline }
            """;

    @TempDir
    private Path folder;

    private @Nullable Process process;

    @AfterEach
    void kill() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    @Test
    void rightConfiguration_isReadyAndStopsWhenAsked() throws Exception {
        Process run = start("--config", write(RIGHT));
        try (BufferedReader out = run.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine())
                    .matches("understudy aggregator ready: test production=127\\.0\\.0\\.1:\\d+"
                            + " debug=127\\.0\\.0\\.1:\\d+, control=127\\.0\\.0\\.1:\\d+");
            run.toHandle().destroy(); // Process.destroy would close its output too
            assertThat(out.readLine())
                    .isEqualTo("test: 0 exchanges recorded, 0 of 0 debug requests replayed, 0 missed");
        }
        assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(run.exitValue()).isZero();
    }

    @Test
    void unreadLog_holdsNobodyUp() throws Exception {
        Process run = start("--config", write("""
                upstreams:
                  - name: test
                    protocol: http
                    production: { listen: 127.0.0.1:0, upstream: 127.0.0.1:1 }
                    debug: { listen: 127.0.0.1:0 }
                    wait: 1ms
                control: { listen: 127.0.0.1:0, anonymous: admin }
                tap: { carrier: inline }
                """));
        String ready = run.inputReader(StandardCharsets.UTF_8).readLine();
        String debug = ready.replaceAll(".* debug=([^,]+),.*", "$1");
        HttpClient client = HttpClient.newHttpClient();
        for (int n = 0; n < 300; n++) {
            // each is a miss of a form of its own, and a line of two kilobytes; nobody reads the pipe, which holds 64
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://" + debug + "/" + n + "/" + "x".repeat(2000)))
                    .timeout(Duration.ofSeconds(60))
                    .build();
            assertThat(client.send(request, BodyHandlers.discarding()).statusCode())
                    .as("miss " + n)
                    .isGreaterThanOrEqualTo(500);
        }
    }

    @Test
    void wrongConfiguration_isExitCode2WithAllProblems() throws Exception {
        Process run = start("--config", write(RIGHT.replace("redis", "reddis").replace("debug:", "debgu:")));

        assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(run.exitValue()).isEqualTo(2);
        assertThat(text(run))
                .contains("aggregator.yaml:3:15: upstreams[0].protocol: reddis (expected: one "
                        + "of http, mysql, postgres, redis, tcp)")
                .contains("upstreams[0].debgu: unknown key; did you mean debug?")
                .doesNotContain("ready");
    }

    @Test
    void takenPort_isExitCode2WithTheAddress() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            Process run = start("--config", write(RIGHT), "--set", "upstreams[0].production.listen=" + address);

            assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(run.exitValue()).isEqualTo(2);
            assertThat(text(run)).contains(address);
        }
    }

    @Test
    void missingFile_isExitCode2() throws Exception {
        Process run = start("--config", folder.resolve("none.yaml").toString());

        assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(run.exitValue()).isEqualTo(2);
        assertThat(text(run)).contains("none.yaml: no such file");
    }

    @Test
    void check_startsNothing() throws Exception {
        Process run = start("--check", "--config", write(RIGHT));

        assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(run.exitValue()).isZero();
        assertThat(text(run)).contains("right, 1 upstream").doesNotContain("ready");
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return process;
    }

    private String write(String text) throws IOException {
        return Files.writeString(folder.resolve("aggregator.yaml"), text).toString();
    }

    private static String text(Process run) throws IOException {
        try (var reader = new InputStreamReader(run.getInputStream(), StandardCharsets.UTF_8);
                var lines = new BufferedReader(reader)) {
            return String.join("\n", lines.lines().toList());
        }
    }
}

package dev.understudy.standin.command;

import dev.understudy.relay.stream.RecordingFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/** From a recording to a process that answers. */
final class StandInCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine line = Main.commandLine();
        return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    }

    private Path learned() throws IOException {
        Path recording = folder.resolve("orders.recording");
        try (RecordingFile file = new RecordingFile(recording)) {
            for (int i = 0; i < 40; i++) {
                file.exchange(i % 3, "/orders/" + i, i * 5000L, i * 5000L + 1500);
            }
        }
        Path model = folder.resolve("orders.yaml");
        assertThat(run("standin", "learn", recording.toString(), "--out", model.toString(), "--service", "orders"))
                .as("%s", err)
                .isZero();
        return model;
    }

    @Test
    void learn_writesAModel_thatShowShows() throws IOException {
        Path model = learned();
        assertThat(out.toString())
                .contains("40 exchanges, 1 routes; no limit of workers seen")
                .contains("without --processor-seconds the stand-in waits instead of computing")
                .contains("the model is in " + model);
        assertThat(run("standin", "show", model.toString())).isZero();
        assertThat(out.toString())
                .contains("orders: 40 exchanges")
                .containsPattern("100\\.0% +1\\.50 +1\\.50 +- +2 {2}GET /orders/\\{}: 200");
    }

    @Test
    void whatCantBeRead_isToldWithExitCode2() throws IOException {
        Path nothing = folder.resolve("nothing");
        assertThat(run(
                        "standin",
                        "learn",
                        nothing.toString(),
                        "--out",
                        folder.resolve("m").toString()))
                .isEqualTo(2);
        assertThat(run("standin", "run", nothing.toString())).isEqualTo(2);
        assertThat(run(
                        "standin",
                        "show",
                        Files.writeString(folder.resolve("bad"), "format: 1\nservice: x")
                                .toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("nothing")
                .contains("no such file (expected: a model, as understudy standin learn writes it)")
                .contains("bad:1:1: exchanges: missing");
    }

    @Test
    void optionsThatCantBe_areTold() {
        assertThat(run("standin")).isEqualTo(2);
        assertThat(run("standin", "learn", "r", "--out", "m", "--workers", "-1"))
                .isEqualTo(2);
        assertThat(run("standin", "learn", "r", "--out", "m", "--processor-seconds", "-1"))
                .isEqualTo(2);
        assertThat(run("standin", "run", "m", "--listen", "here")).isEqualTo(2);
        assertThat(err.toString())
                .contains("missing: one of learn, run, show")
                .contains("--workers -1 (expected: 0 to 1000)")
                .contains("--processor-seconds -1.0 (expected: >= 0)")
                .contains("here (expected: host:port)");
    }

    @Test
    void run_answersUntilItIsStopped_andThenTellsWhatWasAsked() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "standin",
                        "run",
                        learned().toString(),
                        "--listen",
                        "127.0.0.1:0")
                .redirectErrorStream(true)
                .start();
        try (BufferedReader printed = process.inputReader(StandardCharsets.UTF_8)) {
            String ready = printed.lines()
                    .filter(line -> line.contains("ready"))
                    .findFirst()
                    .orElse("");
            assertThat(ready).startsWith("understudy standin ready: orders with 1 routes on http://127.0.0.1:");
            String address = ready.substring(ready.indexOf("http://"));
            HttpClient client = HttpClient.newHttpClient();
            for (String target : List.of("/orders/1", "/orders/2", "/else")) {
                HttpResponse<String> reply = client.send(
                        HttpRequest.newBuilder(URI.create(address + target)).build(), BodyHandlers.ofString());
                assertThat(reply.statusCode()).isEqualTo(target.equals("/else") ? 404 : 200);
            }
            // Process.destroy would close what it prints, too
            process.toHandle().destroy();
            assertThat(printed.lines().collect(Collectors.joining("\n")))
                    .contains("GET /orders/{}: 2")
                    .contains("routes that the model hasn't: 1 requests");
            assertThat(process.waitFor()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}

package dev.understudy.it.clients;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.bench.process.Programs;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.NeedsPrograms;
import dev.understudy.it.stage.PemKeys;
import dev.understudy.it.stage.RealServer;
import dev.understudy.it.stage.TeeStage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Clients that agree on HTTP/2 with a listener in their TLS handshake; debug gets the same in plain text. */
class Http2OverTlsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    private Path files;
    private PemKeys keys;

    @BeforeEach
    void prepare() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        files = folder("files");
        byte[] content = new byte[1_000_000];
        new Random(9113).nextBytes(content);
        Files.write(files.resolve("file"), content);
        keys = PemKeys.make(folder);
    }

    @Test
    @NeedsPrograms({"nginx", "curl"})
    void clients_getHttp2_whereProductionSpeaksItInPlainText() throws Exception {
        Path productionFolder = folder("production");
        try (RealServer production = RealServer.nginx(productionFolder, files, true);
                RealServer debug = RealServer.nginx(folder("debug"), files, true);
                TeeStage stage = TeeStage.open(folder, listener(production, debug, "alpn: h2"))) {
            curl(stage, "--http2", "2");
            HttpResponse<Path> reply = jdk(stage);
            assertThat(reply.version()).isEqualTo(HttpClient.Version.HTTP_2);

            assertCompared(stage.settled(), 2);
            awaitLines(() -> assertThat(requests("debug"))
                    .isEqualTo(requests("production"))
                    .hasSize(2));
        }
    }

    @Test
    @NeedsPrograms({"nginx", "curl"})
    void productionsTls_speaksWhatTheClientDoes() throws Exception {
        try (RealServer production = RealServer.nginx(folder("production"), files, keys);
                RealServer debug = RealServer.nginx(folder("debug"), files, true);
                TeeStage stage = TeeStage.open(
                        folder,
                        listener(production, debug, "alpn: [h2, http/1.1]")
                                + ", production-tls: { server-name: localhost, ca: " + keys.certificate() + " }")) {
            curl(stage, "--http2", "2");
            assertThat(jdk(stage).version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertCompared(stage.settled(), 2);
            awaitLines(() -> assertThat(requests("debug")).hasSize(2));

            curl(stage, "--http1.1", "1.1");
            awaitLines(() -> assertThat(requests("production"))
                    .hasSize(3)
                    .last()
                    .asString()
                    .contains("HTTP/1.1"));
        }
    }

    private String listener(RealServer production, RealServer debug, String alpn) {
        return "production: 127.0.0.1:%d, debug: 127.0.0.1:%d, protocol: http, "
                        .formatted(production.port(), debug.port())
                + "tls: { certificates: [{ certificate: %s, key: %s }], %s }"
                        .formatted(keys.certificate(), keys.key(), alpn);
    }

    private void curl(TeeStage stage, String wanted, String spoken) throws Exception {
        Path got = folder.resolve("got");
        List<String> line = List.of(
                Programs.path("curl"),
                "-sS",
                "--fail",
                wanted,
                "--cacert",
                keys.certificate().toString(),
                "-w",
                "%{http_version}",
                "-o",
                got.toString(),
                "https://localhost:" + stage.port() + "/file");
        try (Child child = Child.start(folder.resolve("curl.log"), new ArrayList<>(line))) {
            assertThat(child.exitCode(PATIENCE)).as(child.output()).isZero();
            assertThat(child.output()).isEqualTo(spoken);
        }
        assertThat(Files.mismatch(got, files.resolve("file"))).isEqualTo(-1);
    }

    private HttpResponse<Path> jdk(TeeStage stage) throws Exception {
        HttpClient client = HttpClient.newBuilder().sslContext(keys.trusting()).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + stage.port() + "/file"))
                .timeout(PATIENCE)
                .build();
        HttpResponse<Path> reply = client.send(request, BodyHandlers.ofFile(folder.resolve("got-by-jdk")));
        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(Files.mismatch(reply.body(), files.resolve("file"))).isEqualTo(-1);
        return reply;
    }

    private static void assertCompared(JsonNode status, int replies) {
        String all = status.toPrettyString();
        assertThat(status.at("/losses")).as(all).isEmpty();
        assertThat(status.at("/fidelity").asText()).as(all).startsWith("faithful");
        assertThat(status.at("/unframedConnections").asInt()).as(all).isZero();
        int alike = status.at("/verdicts/SAME").asInt()
                + status.at("/verdicts/EQUIVALENT").asInt();
        assertThat(alike).as(all).isEqualTo(replies);
    }

    /** A line is written after the last byte of its answer. */
    private static void awaitLines(ThrowingRunnable so) {
        await("lines of the logs").atMost(PATIENCE).untilAsserted(so);
    }

    private List<String> requests(String server) throws IOException {
        return Files.readAllLines(folder.resolve(server).resolve("access.log")).stream()
                .map(line -> line.replaceAll("\\[.*?]", ""))
                .toList();
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }
}

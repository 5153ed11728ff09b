package dev.understudy.it;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.NeedsDocker;
import dev.understudy.it.stage.NeedsPrograms;
import dev.understudy.it.stage.RealServer;
import dev.understudy.it.stage.TeeStage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A debug server in a container that has drifted away is restarted by Docker, and is in step afterwards. */
@NeedsDocker
@Tag("any-jdk")
class ResyncIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    @Test
    @NeedsPrograms("redis-server")
    void containerThatDrifted_isRestarted_andIsInStepAgain() throws Exception {
        int port = FreePorts.next();
        String container = "understudy-resync-" + port;
        docker(
                "run",
                "--detach",
                "--name",
                container,
                "--publish",
                "127.0.0.1:" + port + ":6379",
                image(),
                "redis-server",
                "--save",
                "");
        try (RealServer production = RealServer.redis(Files.createDirectory(folder.resolve("production")))) {
            await("the container")
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> says(port, "PING").equals("+PONG\r\n"));
            assertThat(says(port, "SET drifted 1")).isEqualTo("+OK\r\n");
            try (TeeStage stage = TeeStage.open(
                    folder,
                    "redis",
                    production.port(),
                    port,
                    "resync.container=" + container,
                    "resync.on-divergence=first",
                    "resync.pause=0s")) {
                assertThat(says(stage.port(), "GET drifted")).isEqualTo("$-1\r\n");
                await("the epoch").atMost(PATIENCE).until(() -> {
                    JsonNode epoch = stage.read("/v1/status").get("epoch");
                    return epoch.get("epoch").asInt() == 2
                            && !epoch.get("state").asText().equals("running");
                });
                JsonNode epoch = stage.read("/v1/status").get("epoch");
                assertThat(epoch.get("state").asText()).as(epoch.toString()).isEqualTo("done");
                assertThat(epoch.get("cause").asText()).isEqualTo("DIVERGENCE");
                await("the server in it, which is there later than the port that is published for it")
                        .atMost(PATIENCE)
                        .ignoreExceptions()
                        .until(() -> says(port, "GET drifted").equals("$-1\r\n"));

                assertThat(says(stage.port(), "GET drifted")).isEqualTo("$-1\r\n");
                await("its verdict")
                        .atMost(PATIENCE)
                        .until(() ->
                                stage.read("/v1/status").at("/epoch/compared").asInt() >= 1);
                assertThat(stage.read("/v1/status").at("/epoch/different").asInt())
                        .isZero();
            }
        } finally {
            docker("rm", "--force", "--volumes", container);
        }
    }

    private void docker(String... command) throws Exception {
        List<String> line = new ArrayList<>(List.of("docker"));
        line.addAll(List.of(command));
        try (Child child = Child.start(folder.resolve("docker.log"), line)) {
            assertThat(child.exitCode(PATIENCE)).as(child.output()).isZero();
        }
    }

    private static String image() {
        return Objects.requireNonNullElse(System.getenv("UNDERSTUDY_REDIS_IMAGE"), "redis:7");
    }

    /** The answer to one command. */
    private static String says(int port, String command) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write((command + "\r\nQUIT\r\n").getBytes(StandardCharsets.ISO_8859_1));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            return all.substring(0, all.length() - "+OK\r\n".length());
        }
    }
}

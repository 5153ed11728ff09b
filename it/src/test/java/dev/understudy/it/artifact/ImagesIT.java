package dev.understudy.it.artifact;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.stage.Checkout;
import dev.understudy.it.stage.NeedsDocker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.understudy.it.artifact.ProgramImage.docker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The programs' images, each run without rights on a file system that can't be written. */
@NeedsDocker
@Tag("any-jdk") // they bring their own
class ImagesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final long MOST_BYTES = 150_000_000;
    private static final List<String> LOCKED =
            List.of("--read-only", "--tmpfs", "/tmp:exec", "--cap-drop", "ALL", "--security-opt", "no-new-privileges");

    private final List<String> containers = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void remove() throws Exception {
        for (String container : containers) {
            docker("rm", "--force", "--volumes", container);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sidecar", "aggregator", "agent"})
    void image_isSmall_labelled_andNotRoots(String module) throws Exception {
        JsonNode facts = ProgramImage.build(module).facts();

        assertThat(facts.path("Size").asLong()).isBetween(4_000_000L, MOST_BYTES);
        assertThat(facts.at("/Config/User").asText()).isEqualTo("10001:10001");
        assertThat(facts.at("/Config/Healthcheck/Test/0").asText()).isEqualTo(module.equals("agent") ? "NONE" : "CMD");
        for (String label : List.of("title", "description", "licenses", "url", "version")) {
            assertThat(facts.path("Config")
                            .path("Labels")
                            .path("org.opencontainers.image." + label)
                            .asText())
                    .as(label)
                    .isNotEmpty();
        }
    }

    @Test
    void sidecar_relays_isHealthy_andTrustsPublicAuthorities() throws Exception {
        // it relays to its own control port: there is no other server in the container
        String container = started("sidecar", """
                listeners:
                  - { name: shop, protocol: http, listen: "0.0.0.0:8080",
                      production: "127.0.0.1:9090", debug: "127.0.0.1:1" }
                control: { listen: "127.0.0.1:9090" }
                """, "--publish", "127.0.0.1::8080");
        awaitHealthy(container);

        assertThat(docker("exec", container, "java", "-jar", "/understudy/sidecar.jar", "status"))
                .contains("shop", "sockets by epoll");
        String address = docker("port", container, "8080/tcp");
        assertThat(status("http://" + address + "/healthz")).isEqualTo(200);
        assertThat(docker("exec", container, "keytool", "-list", "-cacerts", "-storepass", "changeit"))
                .containsPattern("contains \\d{2,} entries");
        assertThat(docker("exec", container, "nice", "-n", "5", "nice")).isEqualTo("5");
    }

    @Test
    void aggregator_isHealthy() throws Exception {
        String container = started("aggregator", """
                upstreams:
                  - name: orders
                    protocol: postgres
                    production: { listen: "127.0.0.1:5432", upstream: "127.0.0.1:1" }
                    debug: { listen: "127.0.0.1:5433" }
                control: { listen: "127.0.0.1:9091" }
                """);
        awaitHealthy(container);
    }

    @Test
    void agent_copiesItsJarIntoAVolume() throws Exception {
        Path volume = Files.createDirectory(folder.resolve("agent"));
        Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString("rwxrwxrwx"));
        List<String> words = new ArrayList<>(List.of("run", "--rm", "--volume", volume + ":/agent"));
        words.addAll(LOCKED);
        words.add(ProgramImage.build("agent").name());

        docker(words.toArray(String[]::new));

        assertThat(volume.resolve("understudy-agent.jar"))
                .hasSameBinaryContentAs(Checkout.root().resolve("agent/target/understudy-agent.jar"));
    }

    private String started(String module, String settings, String... options) throws Exception {
        ProgramImage image = ProgramImage.build(module);
        Path file = Files.writeString(folder.resolve(module + ".yaml"), settings);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        List<String> words = new ArrayList<>(List.of(
                "run",
                "--detach",
                "--volume",
                file + ":/etc/understudy/" + module + ".yaml:ro",
                "--label",
                "org.testcontainers=true"));
        words.addAll(LOCKED);
        words.addAll(Arrays.asList(options));
        words.add(image.name());
        String container = docker(words.toArray(String[]::new));
        containers.add(container);
        return container;
    }

    private static void awaitHealthy(String container) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(300)).until(() -> {
            String state = docker("inspect", "--format", "{{.State.Status}} {{.State.Health.Status}}", container);
            assertThat(state).startsWith("running");
            return state.equals("running healthy");
        });
    }

    private static int status(String uri) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.discarding())
                .statusCode();
    }
}

package dev.understudy.it.artifact;

import dev.understudy.it.stage.NeedsDocker;
import dev.understudy.testing.ContainerEnvironment;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Two builds of a service and their database in containers, as a suite with Testcontainers has them. */
@NeedsDocker
@Tag("any-jdk") // its services run on the JRE of their image
class ContainerEnvironmentIT {
    private static final String JRE =
            Objects.requireNonNullElse(System.getenv("UNDERSTUDY_JRE_IMAGE"), "eclipse-temurin:17-jre");
    private static final String POSTGRES =
            Objects.requireNonNullElse(System.getenv("UNDERSTUDY_POSTGRES_IMAGE"), "postgres:15");

    @TempDir
    private Path folder;

    @Test
    void debug_isCompared_andReachesNothingButItsRecordedReplies() throws Exception {
        GenericContainer<?> database = database();
        GenericContainer<?> debug = service(1);
        try (ServerSocket ownPort = new ServerSocket();
                ContainerEnvironment environment = new ContainerEnvironment()
                        .upstream("orders", "postgres", database)
                        .production(service(0))
                        .debug(debug)
                        .folder(folder)
                        .patience(Duration.ofMinutes(3))
                        .start()) {
            assertThat(get(environment)).isEqualTo("{\"price\": 119}");

            assertThatThrownBy(environment::check)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("DIFFERENT  GET /prices/7")
                    .message()
                    .containsSubsequence("body.price", "production: 119", "debug:      120");
            assertThat(environment.client().status().verdicts()).containsEntry("DIFFERENT", 1L);

            String host = gateway(debug);
            ownPort.bind(new InetSocketAddress("0.0.0.0", 0));
            assertThat(reached(debug, "orders/5432")).containsExactly("orders/5432");
            assertThat(reached(
                            debug,
                            "orders-upstream/5432",
                            "production/8080",
                            "aggregator-of-stage/5432",
                            "sidecar-of-debug/8080",
                            "sidecar-of-debug/9090",
                            host + "/" + ownPort.getLocalPort(),
                            host + "/" + database.getMappedPort(5432),
                            host + "/" + environment.uri().getPort()))
                    .isEmpty();
        }
        assertThat(folder.resolve("debug.log")).content().contains("prices at port 8080");
        assertThat(folder.resolve("report.json")).exists();
        assertThat(folder.resolve("sidecar.log")).content().contains("ready:");
        assertThat(database.isRunning()).isFalse();
    }

    private static GenericContainer<?> database() {
        return new GenericContainer<>(DockerImageName.parse(POSTGRES))
                .withEnv("POSTGRES_PASSWORD", "prompt-side")
                .withCopyToContainer(
                        Transferable.of("CREATE TABLE prices AS SELECT 7 AS id, 119 AS price"),
                        "/docker-entrypoint-initdb.d/prices.sql")
                .withExposedPorts(5432)
                .waitingFor(Wait.forLogMessage(".*ready to accept connections.*\\n", 2));
    }

    private static GenericContainer<?> service(int surcharge) throws Exception {
        String name = PriceServer.class.getName().replace('.', '/') + ".class";
        Path driver = Path.of(org.postgresql.Driver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return new GenericContainer<>(DockerImageName.parse(JRE))
                .withEnv("SURCHARGE", String.valueOf(surcharge))
                .withCopyToContainer(MountableFile.forClasspathResource(name), "/app/" + name)
                .withCopyToContainer(MountableFile.forHostPath(driver), "/app/driver.jar")
                .withCommand(
                        "java", "-XX:TieredStopAtLevel=1", "-cp", "/app:/app/driver.jar", PriceServer.class.getName())
                .withExposedPorts(PriceServer.PORT)
                .waitingFor(Wait.forLogMessage(".*prices at port.*\\n", 1));
    }

    private static String get(ContainerEnvironment environment) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(environment.uri().resolve("/prices/7"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    /** Where the host would be on debug's network, if it were there: what listens everywhere would be, too. */
    private static String gateway(GenericContainer<?> debug) throws Exception {
        String network = debug.getContainerInfo()
                .getNetworkSettings()
                .getNetworks()
                .keySet()
                .iterator()
                .next();
        return ProgramImage.docker("network", "inspect", network, "--format", "{{(index .IPAM.Config 0).Gateway}}");
    }

    /** To which places a container can open a connection, by bash's own means, all at once. */
    private static List<String> reached(GenericContainer<?> container, String... places) throws Exception {
        String script = "for place in %s; do timeout 5 bash -c \"exec 3<>/dev/tcp/$place\" && echo $place & done; wait"
                .formatted(String.join(" ", places));
        return container
                .execInContainer("bash", "-c", script)
                .getStdout()
                .lines()
                .toList();
    }
}

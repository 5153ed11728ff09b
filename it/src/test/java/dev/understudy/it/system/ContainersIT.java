package dev.understudy.it.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.Checkout;
import dev.understudy.it.stage.NeedsDocker;
import dev.understudy.standin.command.GraphCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.testcontainers.containers.ComposeContainer;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.ContainerState;
import org.testcontainers.containers.wait.strategy.Wait;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The compose file of the example as it is, with everything in containers. */
@NeedsDocker
@Tag("any-jdk") // its services run on the JRE of their image
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContainersIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int PAGES = 100;
    /** Three in five of a shopper's pages are looked up in the cache. */
    private static final long CACHE_READS = PAGES * 3 / 5;

    private static final List<String> TRACE = List.of("exchange", "production", "debug", "CatalogueController.product");
    private static final String TOKEN = "a-token-of-this-test";

    private final HttpClient http = HttpClient.newHttpClient();
    private final int front = FreePorts.next();
    private final int sidecar = FreePorts.next();
    private final int aggregator = FreePorts.next();
    private final int jaeger = FreePorts.next();
    private final ComposeContainer compose = new ComposeContainer(
                    Checkout.root().resolve("examples/orders/compose.yaml").toFile())
            .withBuild(true)
            .withPull(!"never".equals(System.getenv("UNDERSTUDY_PULL")))
            .withRemoveVolumes(true)
            .withEnv("UNDERSTUDY_PORT", String.valueOf(front))
            .withEnv("UNDERSTUDY_SIDECAR_PORT", String.valueOf(sidecar))
            .withEnv("UNDERSTUDY_AGGREGATOR_PORT", String.valueOf(aggregator))
            .withEnv("UNDERSTUDY_JAEGER_PORT", String.valueOf(jaeger))
            .withEnv("UNDERSTUDY_TOKEN", TOKEN)
            .waitingFor("debug", Wait.forHealthcheck().withStartupTimeout(Duration.ofMinutes(5)));

    ContainersIT() throws IOException {}

    @BeforeAll
    void start() throws Exception {
        compose.start();
        new Shopper("http://127.0.0.1:" + front).browse(PAGES);
        await().atMost(PATIENCE).until(() -> compared() >= PAGES);
    }

    @AfterAll
    void stop() {
        compose.stop();
    }

    @Test
    void debugJvm_givesProductionsAnswers() throws Exception {
        JsonNode listener = status().path("listeners").path(0);

        JsonNode differing = json("http://127.0.0.1:" + sidecar + "/v1/exchanges?verdict=different&limit=5");
        assertThat(listener.path("verdicts").path("DIFFERENT").asLong())
                .as("%s", differing)
                .isZero();
        assertThat(listener.path("losses")).as(listener.toString()).isEmpty();
    }

    @Test
    void trace_showsProductionDebugAndTheAgentsMethods() {
        Set<String> operations = new HashSet<>();
        await().atMost(PATIENCE).until(() -> {
            for (JsonNode trace : traces()) {
                operations.clear();
                trace.path("spans")
                        .forEach(span ->
                                operations.add(span.path("operationName").asText()));
                if (operations.containsAll(TRACE)) {
                    return true;
                }
            }
            return false;
        });
    }

    @Test
    void upstreams_sawProductionsCallsOnly() throws Exception {
        String address = address("aggregator");
        // pools open and close connections by themselves
        await().atMost(PATIENCE).untilAsserted(() -> assertConnected(address));
        assertThat(calls(in("redis", "redis-cli", "info", "commandstats"), "get"))
                .isEqualTo(CACHE_READS);
    }

    private void assertConnected(String address) throws Exception {
        JsonNode upstreams =
                json("http://127.0.0.1:" + aggregator + "/v1/status").path("upstreams");

        String clients = in(
                "postgres",
                "psql",
                "-U",
                "postgres",
                "-d",
                "orders",
                "-Atc",
                "SELECT DISTINCT host(client_addr) FROM pg_stat_activity WHERE client_addr IS NOT NULL");
        String looks = in(
                "postgres",
                "psql",
                "-U",
                "postgres",
                "-d",
                "orders",
                "-Atc",
                "SELECT count(*) FROM pg_stat_activity WHERE usename = 'orders'");
        String cache = in("redis", "redis-cli", "client", "list");

        assertThat(clients.lines()).containsOnly(address);
        assertThat(Long.parseLong(looks.strip())).isEqualTo(openConnections(upstreams, "postgres"));
        assertThat(cache.lines().filter(line -> !line.contains("addr=127.0.0.1")))
                .isNotEmpty()
                .allMatch(line -> line.contains("addr=" + address + ":"))
                .hasSize((int) openConnections(upstreams, "redis"));
    }

    @Test
    void debugContainer_hasNoRouteToAnUpstream() throws Exception {
        assertThat(reached("debug", 5, "postgres/5432", "redis/6379", "pricing/8090", "jaeger/4318"))
                .isEmpty();
        assertThat(reached("debug", 60, "aggregator-for-debug/5432", "sidecar-for-debug/9090"))
                .containsExactlyInAnyOrder("aggregator-for-debug/5432", "sidecar-for-debug/9090");
    }

    @Test
    void graph_isMadeOfARunningJaeger() {
        await().atMost(PATIENCE).untilAsserted(() -> {
            StringWriter printed = new StringWriter();
            int exit = new CommandLine(new GraphCommand())
                    .setOut(new PrintWriter(printed))
                    .execute("http://127.0.0.1:" + jaeger);
            assertThat(exit).isZero();
            assertThat(printed.toString()).contains("orders-debug");
        });
    }

    @Test
    void controlPorts_askForTheToken() throws Exception {
        for (int port : List.of(sidecar, aggregator)) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/status"))
                    .build();

            assertThat(http.send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    private static long calls(String statistics, String command) {
        return statistics
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .map(line -> line.replaceAll("^[^:]*:calls=(\\d+),.*", "$1").strip())
                .mapToLong(Long::parseLong)
                .sum();
    }

    private static long openConnections(JsonNode upstreams, String name) {
        for (JsonNode upstream : upstreams) {
            if (upstream.path("name").asText().equals(name)) {
                return upstream.path("production").path("open").asLong();
            }
        }
        throw new AssertionError("no upstream " + name + " in " + upstreams);
    }

    private long compared() throws Exception {
        JsonNode verdicts = status().path("listeners").path(0).path("verdicts");
        return verdicts.path("SAME").asLong()
                + verdicts.path("EQUIVALENT").asLong()
                + verdicts.path("DIFFERENT").asLong();
    }

    private JsonNode status() throws Exception {
        return json("http://127.0.0.1:" + sidecar + "/v1/status");
    }

    private JsonNode traces() throws Exception {
        return json("http://127.0.0.1:" + jaeger + "/api/traces?service=orders-debug&limit=200")
                .path("data");
    }

    private JsonNode json(String url) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + TOKEN)
                .build();
        return new ObjectMapper()
                .readTree(
                        http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    private ContainerState container(String service) {
        return compose.getContainerByServiceName(service).orElseThrow();
    }

    private String in(String service, String... command) throws Exception {
        ExecResult result = container(service).execInContainer(command);
        assertThat(result.getExitCode()).as(result.getStderr()).isZero();
        return result.getStdout();
    }

    /** To which places a container can open a TCP connection, by bash's own means, all at once. */
    private List<String> reached(String service, int seconds, String... places) throws Exception {
        String script = "for place in %s; do timeout %d bash -c \"exec 3<>/dev/tcp/$place\" && echo $place & done; wait"
                .formatted(String.join(" ", places), seconds);
        return in(service, "bash", "-c", script).lines().toList();
    }

    /** The address that a service has on the network of the upstreams. */
    private String address(String service) {
        return container(service).getContainerInfo().getNetworkSettings().getNetworks().entrySet().stream()
                .filter(network -> network.getKey().endsWith("_upstreams"))
                .map(network -> network.getValue().getIpAddress())
                .findFirst()
                .orElseThrow();
    }
}

package dev.understudy.it.suspect;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.OwnJvm;
import dev.understudy.it.stage.TeeStage;
import dev.understudy.it.stage.Understudy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What the agent itself sends and reads is nobody's exchange.
 *
 * <p>The debug JVM's HTTP clients are told to go through the listener that is teed, as a proxy of its surroundings may
 * be: a client that heeded that would have its traffic duplicated.
 */
final class OwnTrafficIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int ASKED = 60;
    /** The control port's paths, as they would stand in a verdict, a span or a request that production got. */
    private static final Pattern OWN =
            Pattern.compile("/v1/(agent|window|orders|observations|overheads|stacks|allocations|hits|traces)");

    @TempDir
    Path folder;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void whatTheAgentSends_isTeedByNoListener_andBeginsNoExchange() throws Exception {
        try (Receiver receiver = new Receiver();
                Child production = OwnJvm.start(folder, Shop.class, "production")) {
            int debugPort = FreePorts.next();
            try (TeeStage tee = TeeStage.open(
                            folder, "http", OwnJvm.port(production), debugPort, "telemetry.otlp=" + receiver.url());
                    Child debug = OwnJvm.start(
                            folder,
                            Shop.class,
                            "debug",
                            OwnJvm.AGENT + ",name=own-debug,budget=1,sidecar=" + tee.control(),
                            "-Dhttp.proxyHost=127.0.0.1",
                            "-Dhttp.proxyPort=" + tee.port(),
                            "-Dhttp.nonProxyHosts=",
                            "-Dport=" + debugPort)) {
                awaitArmed(tee, debug);
                for (int i = 0; i < ASKED; i++) {
                    ask(tee, i);
                }
                awaitWhatIsTold(tee, receiver);
                assertOnlyTheClientsExchanges(tee);

                order(tee);
                assertOnlyTheClientsExchanges(tee);
                assertThat(receiver.heard)
                        .as("spans")
                        .noneMatch(spans -> OWN.matcher(spans).find());
            }
        }
    }

    private static void awaitArmed(TeeStage tee, Child debug) {
        OwnJvm.port(debug);
        await("the agent")
                .atMost(PATIENCE)
                .failFast(() -> assertThat(opened(tee))
                        .as("connections, before anybody has asked")
                        .isZero())
                .until(() -> agent(tee).path("state").asText().equals("armed"));
    }

    private void ask(TeeStage tee, int number) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + tee.port() + "/cart/" + (1 + number) + "x2"))
                .timeout(PATIENCE)
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    /** Until the agent has reported, told of exchanges and exported spans since all were asked. */
    private static void awaitWhatIsTold(TeeStage tee, Receiver receiver) {
        tee.awaitExchanges(ASKED);
        await("what the agent tells").atMost(PATIENCE).untilAsserted(() -> {
            assertThat(agent(tee).path("exchanges").asInt()).isGreaterThanOrEqualTo(ASKED);
            assertThat(tee.read("/v1/suspects").at("/exchanges/successful").asInt())
                    .isPositive();
            assertThat(receiver.heard)
                    .as("spans of both")
                    .anyMatch(spans -> spans.contains("Shop.worth"))
                    .anyMatch(spans -> spans.contains("/cart/" + ASKED + "x2"));
        });
    }

    /** Until the agent has fetched an order, and reported that it follows it. */
    private void order(TeeStage tee) throws Exception {
        Understudy.run(folder, 0, "probes", "arm", "*.Shop#rebate", "--url", tee.control());
        await("the order")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(agent(tee).toString()).contains("\"probes\":\"1 armed, 0 off\""));
    }

    private void assertOnlyTheClientsExchanges(TeeStage tee) throws Exception {
        JsonNode verdicts = tee.read("/v1/verdicts?limit=1000").path("verdicts");
        assertThat(verdicts)
                .hasSize(ASKED)
                .allSatisfy(one -> assertThat(one.path("request").asText()).startsWith("GET /cart/"));
        assertThat(opened(tee)).as("the client's one connection").isEqualTo(1);
        assertThat(agent(tee).path("exchanges").asInt())
                .as("exchanges that the agent saw begin")
                .isEqualTo(ASKED);
        HttpRequest metrics =
                HttpRequest.newBuilder(URI.create(tee.control() + "/metrics")).build();
        String text = client.send(metrics, BodyHandlers.ofString()).body();
        assertThat(text)
                .containsPattern("(?m)^understudy_exchanges_total\\{[^}]*side=\"production\"[^}]*} " + ASKED + "\\.0$")
                .containsPattern("(?m)^understudy_exchanges_total\\{[^}]*side=\"debug\"[^}]*} " + ASKED + "\\.0$")
                .doesNotContainPattern(OWN);
    }

    private static JsonNode agent(TeeStage tee) throws IOException, InterruptedException {
        return tee.read("/v1/agent").at("/agents/0");
    }

    private static int opened(TeeStage tee) throws IOException, InterruptedException {
        return tee.listener().at("/connections/opened").asInt();
    }

    /** Takes spans by OTLP over HTTP; what it heard, byte by byte. */
    private static final class Receiver implements AutoCloseable {
        private final HttpServer server;
        final Queue<String> heard = new ConcurrentLinkedQueue<>();

        Receiver() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/v1/traces", exchange -> {
                heard.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
                exchange.sendResponseHeaders(200, -1);
                exchange.close();
            });
            server.start();
        }

        String url() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}

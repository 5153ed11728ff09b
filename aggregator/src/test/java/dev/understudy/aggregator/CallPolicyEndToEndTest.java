package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code calls} and {@code background}, as the JDK's client meets them. The upstream gives each call another answer.
 */
class CallPolicyEndToEndTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger number = new AtomicInteger();
    private HttpServer server;
    private Aggregator aggregator;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = Integer.toString(number.incrementAndGet()).getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        aggregator = TestAggregator.open(
                "http",
                server.getAddress().getPort(),
                "wait: 30s",
                "calls: [{ form: 'GET /rates*', wait: 1ms, miss: repeat-last }, { form: 'GET /now*', wait: 1ms }]",
                "background: [{ form: 'GET /health*' }, { form: 'POST /v1/traces*', any: true }]");
    }

    @AfterEach
    void stop() {
        aggregator.close();
        server.stop(0);
    }

    @Test
    void backgroundCalls_getTheLastReplyAsOftenAsTheyAsk_andUseUpNone() throws Exception {
        ask(production(), "/health?of=a", "");
        ask(production(), "/health?of=b", "");
        ask(production(), "/health?of=a", "");
        ask(production(), "/v1/traces", "spans of production");
        Eventually.await(() -> counts("/production/background") == 4);

        for (int n = 0; n < 3; n++) {
            assertThat(ask(debug(), "/health?of=a", "").body()).isEqualTo("3");
            assertThat(ask(debug(), "/health?of=b", "").body()).isEqualTo("2");
            assertThat(ask(debug(), "/v1/traces", "spans of debug " + n).body()).isEqualTo("4");
        }

        assertThat(counts("/debug/background")).isEqualTo(9);
        assertThat(counts("/debug/missed") + counts("/debug/replayed") + counts("/journal/exchanges"))
                .isZero();
        assertThat(JSON.readTree(TestAggregator.get(aggregator, "/v1/matches?outcome=BACKGROUND"))
                        .path("matches"))
                .hasSize(9);
    }

    @Test
    void backgroundCallBeforeProductions_waitsForIt() throws Exception {
        CompletableFuture<HttpResponse<String>> early =
                client.sendAsync(request(debug(), "/health", ""), BodyHandlers.ofString());
        Eventually.await(() -> counts("/debug/requests") == 1);
        ask(production(), "/health", "");

        assertThat(early.get().body()).isEqualTo("1");
    }

    @Test
    void rules_decideHowLongACallWaitsAndWhatItGetsThen() throws Exception {
        ask(production(), "/rates", "");
        Eventually.await(() -> counts("/journal/unused") == 1);

        assertThat(ask(debug(), "/rates", "").body()).isEqualTo("1");
        assertThat(ask(debug(), "/rates", "").body()).as("once more").isEqualTo("1");
        assertThat(ask(debug(), "/now", "").statusCode()).as("at once").isEqualTo(502);
        assertThat(counts("/debug/repeated")).isEqualTo(1);
    }

    private SocketAddress production() {
        return aggregator.productionAddress("test");
    }

    private SocketAddress debug() {
        return aggregator.debugAddress("test");
    }

    private long counts(String pointer) throws IOException {
        JsonNode upstream = JSON.readTree(TestAggregator.status(aggregator)).at("/upstreams/0");
        return upstream.at(pointer).asLong();
    }

    private HttpResponse<String> ask(SocketAddress at, String path, String body) throws Exception {
        return client.send(request(at, path, body), BodyHandlers.ofString());
    }

    private static HttpRequest request(SocketAddress at, String path, String body) {
        URI uri = URI.create("http://127.0.0.1:" + ((InetSocketAddress) at).getPort() + path);
        return body.isEmpty()
                ? HttpRequest.newBuilder(uri).build()
                : HttpRequest.newBuilder(uri)
                        .POST(BodyPublishers.ofString(body))
                        .build();
    }
}

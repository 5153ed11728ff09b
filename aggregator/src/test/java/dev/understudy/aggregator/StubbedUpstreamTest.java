package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.relay.config.ConfigException;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** {@code miss: stub}, as the JDK's client meets it. */
class StubbedUpstreamTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String STUBS = """
            {"mappings": [
              {"name": "a", "request": {"method": "ANY", "urlPath": "/a"},
               "response": {"status": 203, "body": "stubbed", "headers": {"Content-Type": "text/plain"}}},
              {"name": "slow", "request": {"url": "/slow"}, "response": {"fixedDelayMilliseconds": 400}},
              {"name": "none", "request": {"url": "/none"}, "response": {"status": 204}},
              {"name": "order", "request": {"method": "POST", "url": "/orders",
                "bodyPatterns": [{"equalToJson": {"sku": 1}}]}, "response": {"jsonBody": {"id": 7}}}]}
            """;

    @TempDir
    private Path folder;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer server;
    private Aggregator aggregator;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "recorded".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        Path stubs = Files.writeString(folder.resolve("stubs.json"), STUBS);
        aggregator = TestAggregator.open(
                "http", server.getAddress().getPort(), "wait: 1ms", "miss: stub", "stubs: " + stubs);
    }

    @AfterEach
    void stop() {
        aggregator.close();
        server.stop(0);
    }

    @Test
    void stub_answersOnlyWhatNothingRecordedFits() throws Exception {
        assertThat(ask(aggregator.productionAddress("test"), "/a", "GET", "").body())
                .isEqualTo("recorded");
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"unused\":1"));

        HttpResponse<String> first = ask(debug(), "/a", "GET", "");
        assertThat(first.body()).isEqualTo("recorded");
        assertThat(first.headers().firstValue("understudy-stub")).isEmpty();

        HttpResponse<String> second = ask(debug(), "/a", "GET", "");
        assertThat(second.statusCode()).isEqualTo(203);
        assertThat(second.body()).isEqualTo("stubbed");
        assertThat(second.headers().firstValue("content-type")).contains("text/plain");
        assertThat(second.headers().firstValue("understudy-stub")).contains("a (stubs.json 1)");
        assertThat(ask(debug(), "/b", "GET", "").statusCode()).isEqualTo(502);

        JsonNode counts = JSON.readTree(TestAggregator.status(aggregator)).at("/upstreams/0/debug");
        assertThat(counts.at("/replayed").asInt()).isEqualTo(1);
        assertThat(counts.at("/stubbed").asInt()).isEqualTo(1);
        assertThat(counts.at("/missed").asInt()).isEqualTo(1);
        JsonNode match = JSON.readTree(TestAggregator.get(aggregator, "/v1/matches?outcome=STUBBED"))
                .at("/matches/0");
        assertThat(match.at("/stub").asText()).isEqualTo("a (stubs.json 1)");
        assertThat(match.at("/why").asText()).contains("used already");
        assertThat(TestAggregator.get(aggregator, "/metrics"))
                .contains("understudy_aggregator_debug_stubbed_total{upstream=\"test\"} 1");
    }

    @Test
    void stubs_seeBodiesAndKeepTheConnection() throws Exception {
        assertThat(ask(debug(), "/orders", "POST", "{\"sku\": 1}").body()).isEqualTo("{\"id\":7}");
        assertThat(ask(debug(), "/orders", "POST", "{\"sku\": 2}").statusCode()).isEqualTo(502);
        assertThat(ask(debug(), "/none", "GET", "").statusCode()).isEqualTo(204);
        assertThat(ask(debug(), "/a", "HEAD", "").headers().firstValue("content-length"))
                .contains("7");
        long began = System.nanoTime();
        assertThat(ask(debug(), "/slow", "GET", "").statusCode()).isEqualTo(200);
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)).isGreaterThanOrEqualTo(400);
        JsonNode counts = JSON.readTree(TestAggregator.status(aggregator)).at("/upstreams/0/debug");
        assertThat(counts.at("/connections").asInt()).isEqualTo(1);
    }

    @Test
    void wrongStubs_keepTheAggregatorFromStarting() throws IOException {
        Path wrong = Files.writeString(folder.resolve("wrong.json"), STUBS.replace("\"url\"", "\"urlTemplate\""));
        assertThatThrownBy(() -> TestAggregator.open("http", 1, "miss: stub", "stubs: " + wrong))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("stubs: wrong.json: mappings[1].request.urlTemplate: isn't supported");
        assertThatThrownBy(() -> TestAggregator.open("redis", 1, "miss: stub", "stubs: " + wrong))
                .hasMessageContaining("stubs are for http");
        assertThatThrownBy(() -> TestAggregator.open("http", 1, "stubs: " + wrong))
                .hasMessageContaining("unless miss is stub");
    }

    private SocketAddress debug() {
        return aggregator.debugAddress("test");
    }

    private HttpResponse<String> ask(SocketAddress at, String path, String method, String body) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + ((InetSocketAddress) at).getPort() + path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }
}

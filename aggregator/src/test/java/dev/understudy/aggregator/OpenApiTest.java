package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.aggregator.config.UpstreamConfig;
import dev.understudy.aggregator.exchange.Eviction;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.Faults;
import dev.understudy.aggregator.match.MatchReason;
import dev.understudy.aggregator.outgoing.CallDifference;
import dev.understudy.aggregator.outgoing.Uncompared;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.aggregator.replay.Matches;
import dev.understudy.relay.OpenApi;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The OpenAPI document against the running server, both ways. */
class OpenApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;
    private Aggregator aggregator;
    private OpenApi api;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        aggregator = TestAggregator.open("http", server.getAddress().getPort(), "wait: 1ms");
        api = new OpenApi(JSON.readTree(TestAggregator.get(aggregator, "/v1/openapi.json")));
    }

    @AfterEach
    void stop() {
        aggregator.close();
        server.stop(0);
    }

    @Test
    void everyRoute_isInTheDocument_andNothingElse() {
        assertThat(api.routes()).isEqualTo(aggregator.answered());
        assertThat(TestAggregator.get(aggregator, "/v1/openapi.yaml")).startsWith("openapi: 3.1.0\n");
    }

    @Test
    void everyDocument_fitsItsSchema_whateverTheStateIs() throws Exception {
        assertFits("/components/schemas/Status", TestAggregator.status(aggregator));
        assertFits("/components/schemas/Misses", TestAggregator.get(aggregator, "/v1/misses"));

        ask(aggregator.productionAddress("test"), "/recorded");
        ask(aggregator.productionAddress("test"), "/unused");
        TestAggregator.awaitUnused(aggregator, 2);
        String recorded = TestAggregator.get(aggregator, "/v1/recorded?upstream=test&limit=2");
        assertThat(JSON.readTree(recorded).get("recorded"))
                .extracting(call -> call.path("form").asText())
                .containsExactly("GET /unused", "GET /recorded");
        assertFits("/components/schemas/RecordedCalls", recorded);
        assertThat(TestAggregator.get(aggregator, "/v1/recorded?upstream=other"))
                .isEqualTo("{\"recorded\":[]}");
        ask(aggregator.debugAddress("test"), "/recorded");
        ask(aggregator.debugAddress("test"), "/missed");
        try (Socket odd = new Socket()) {
            odd.connect(aggregator.productionAddress("test"));
            odd.getOutputStream().write("this is not HTTP\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(odd.getInputStream().read()).isPositive();
        }
        Eventually.await(() -> {
            JsonNode test = JSON.readTree(TestAggregator.status(aggregator)).at("/upstreams/0");
            return test.at("/production/unframed").size() > 0
                    && test.at("/debug/missed").asInt() == 1
                    && test.at("/debug/replayed").asInt() == 1;
        });

        assertFits("/components/schemas/Status", TestAggregator.status(aggregator));
        String matches = TestAggregator.get(aggregator, "/v1/matches");
        assertThat(JSON.readTree(matches).get("matches")).hasSize(2);
        assertFits("/components/schemas/Matches", matches);
        String miss = TestAggregator.get(aggregator, "/v1/matches/2");
        assertThat(JSON.readTree(miss).at("/outcome").asText()).isEqualTo("MISSED");
        assertFits("/components/schemas/Matched", miss);
        String misses = TestAggregator.get(aggregator, "/v1/misses?limit=1");
        assertThat(JSON.readTree(misses).get("misses")).hasSize(1);
        assertFits("/components/schemas/Misses", misses);
    }

    @Test
    void faults_fitTheirSchema() throws Exception {
        String rules = """
                {"faults": [
                  {"upstream": "test", "fault": "latency", "delay": "1s", "jitter": "10ms", "form": "GET *", "for": \
                "5s"},
                  {"upstream": "test", "fault": "bandwidth", "rate": "64KiB", "at": "2m", "percent": 2.5},
                  {"upstream": "test", "fault": "error", "code": "429", "message": "busy", "seed": 3},
                  {"upstream": "test", "fault": "reset"},
                  {"upstream": "test", "fault": "black-hole"},
                  {"upstream": "test", "fault": "slow-close", "delay": "20ms", "name": "last"}
                ]}""";
        assertFits("/components/schemas/FaultRules", rules);
        URI uri = URI.create("http://127.0.0.1:" + aggregator.controlAddress().getPort() + "/v1/faults");
        String set = client.send(
                        HttpRequest.newBuilder(uri)
                                .header("Content-Type", "application/json")
                                .PUT(BodyPublishers.ofString(rules))
                                .build(),
                        BodyHandlers.ofString())
                .body();

        assertThat(JSON.readTree(set).path("faults")).as(set).hasSize(6);
        assertFits("/components/schemas/Faults", set);
        assertThat(TestAggregator.get(aggregator, "/v1/faults")).isEqualTo(set);
    }

    @Test
    void everyProblem_fitsItsSchema() throws Exception {
        assertFits("/components/schemas/Problem", TestAggregator.get(aggregator, "/nowhere"));
        assertFits("/components/schemas/Problem", TestAggregator.get(aggregator, "/v1/misses?limit=0"));
        assertFits("/components/schemas/Problem", TestAggregator.get(aggregator, "/v1/matches/17"));
        assertFits("/components/schemas/Problem", TestAggregator.get(aggregator, "/v1/matches/x"));
    }

    @Test
    void reasons_areAllInTheDocument() {
        assertThat(api.words("Unrecorded")).isEqualTo(OpenApi.names(Unrecorded.values()));
        assertThat(api.words("Basis")).isEqualTo(OpenApi.names(MatchReason.values()));
        assertThat(api.words("Uncompared")).isEqualTo(OpenApi.names(Uncompared.values()));
        assertThat(api.words("CallDifference")).isEqualTo(OpenApi.names(CallDifference.Kind.values()));
        assertThat(api.words("Outcome")).isEqualTo(OpenApi.names(Matches.Outcome.values()));
        assertThat(api.words("Phase")).isEqualTo(OpenApi.names(Faults.Phase.values()));
        assertThat(api.words("FaultKind"))
                .isEqualTo(
                        Arrays.stream(Fault.Kind.values()).map(Fault.Kind::word).collect(Collectors.toSet()));
        assertThat(api.words("Eviction")).isEqualTo(OpenApi.names(Eviction.values()));
        assertThat(api.words("Upstream/properties/protocol"))
                .isEqualTo(Arrays.stream(UpstreamConfig.Protocol.values())
                        .map(UpstreamConfig.Protocol::word)
                        .collect(Collectors.toSet()));
    }

    private void ask(SocketAddress address, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + ((InetSocketAddress) address).getPort() + path);
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
    }

    private void assertFits(String pointer, String body) throws IOException {
        api.assertFits(pointer, body, pointer);
    }
}

package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.aggregator.journal.Eviction;
import dev.understudy.aggregator.match.Basis;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.aggregator.replay.Matches;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The OpenAPI document against the running server, both ways. */
class OpenApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;
    private Aggregator aggregator;
    private JsonNode document;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        aggregator = TestAggregator.open("http", server.getAddress().getPort(), "wait: 100ms");
        document = JSON.readTree(TestAggregator.get(aggregator, "/v1/openapi.json"));
    }

    @AfterEach
    void stop() {
        aggregator.close();
        server.stop(0);
    }

    @Test
    void everyRoute_isInTheDocument_andNothingElse() {
        Map<String, Set<String>> documented = new TreeMap<>();
        for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                if (METHODS.contains(method.getKey())) {
                    documented
                            .computeIfAbsent(path.getKey(), added -> new TreeSet<>())
                            .add(method.getKey().toUpperCase(Locale.ROOT));
                }
            }
        }
        assertThat(documented).isEqualTo(aggregator.answered());
        assertThat(TestAggregator.get(aggregator, "/v1/openapi.yaml")).startsWith("openapi: 3.1.0\n");
    }

    @Test
    void everyDocument_fitsItsSchema_whateverTheStateIs() throws Exception {
        assertFits("/components/schemas/Status", TestAggregator.status(aggregator));
        assertFits("/components/schemas/Misses", TestAggregator.get(aggregator, "/v1/misses"));

        ask(aggregator.productionAddress("test"), "/recorded");
        ask(aggregator.productionAddress("test"), "/unused");
        ask(aggregator.debugAddress("test"), "/recorded");
        ask(aggregator.debugAddress("test"), "/missed");
        try (Socket odd = new Socket()) {
            odd.connect(aggregator.productionAddress("test"));
            odd.getOutputStream().write("this is not HTTP\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(odd.getInputStream().read()).isPositive();
        }
        TestAggregator.await(() -> {
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
    void everyProblem_fitsItsSchema() throws Exception {
        assertFits("/components/schemas/Problem", TestAggregator.get(aggregator, "/nowhere"));
        assertFits("/components/schemas/Problem", TestAggregator.get(aggregator, "/v1/misses?limit=0"));
        assertFits("/components/schemas/Problem", TestAggregator.get(aggregator, "/v1/matches/17"));
        assertFits("/components/schemas/Problem", TestAggregator.get(aggregator, "/v1/matches/x"));
    }

    @Test
    void reasons_areAllInTheDocument() {
        assertThat(words("Unrecorded")).isEqualTo(names(Unrecorded.values()));
        assertThat(words("Basis")).isEqualTo(names(Basis.values()));
        assertThat(words("Outcome")).isEqualTo(names(Matches.Outcome.values()));
        assertThat(words("Eviction")).isEqualTo(names(Eviction.values()));
        assertThat(words("Upstream/properties/protocol"))
                .isEqualTo(Arrays.stream(UpstreamConfig.Protocol.values())
                        .map(UpstreamConfig.Protocol::word)
                        .collect(Collectors.toSet()));
    }

    private Set<String> words(String schema) {
        Set<String> words = new TreeSet<>();
        document.at("/components/schemas/" + schema + "/enum").forEach(word -> words.add(word.asText()));
        return words;
    }

    private static Set<String> names(Enum<?>[] constants) {
        return Arrays.stream(constants).map(Enum::name).collect(Collectors.toSet());
    }

    private void ask(SocketAddress address, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + ((InetSocketAddress) address).getPort() + path);
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
    }

    private void assertFits(String pointer, String body) throws IOException {
        ObjectNode schema = JSON.createObjectNode();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("$ref", "#" + pointer);
        schema.set("components", document.get("components"));
        assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(schema)
                        .validate(JSON.readTree(body)))
                .as(body)
                .isEmpty();
    }
}

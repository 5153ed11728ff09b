package dev.understudy.it;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.TeeStage;
import dev.understudy.it.stage.Twins;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A debug copy that makes other upstream calls than production: told exchange by exchange, beside the replies'
 * verdicts.
 */
@Tag("any-jdk")
class OutgoingCallsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int EQUAL = 10;

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void calls_areComparedExchangeByExchange() throws Exception {
        try (Twins twins = new Twins(folder, call -> {}, request -> {});
                TeeStage tee = tee(twins)) {
            for (int n = 0; n < EQUAL; n++) {
                ask(tee, "/a/" + n + ",/b", "/a/" + n + ",/b");
            }
            ask(tee, "/one", "/one,/more");
            ask(tee, "/two,/three", "/two");
            ask(tee, "/orders/1", "/orders/2");
            ask(tee, "/first,/second", "/second,/first");
            Map<String, Integer> expected = Map.of("SAME", EQUAL, "DIFFERENT", 4, "NOT_COMPARED", 0);
            await("comparisons")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(counts(tee)).isEqualTo(expected));

            List<String> differences = new ArrayList<>();
            for (JsonNode verdict : tee.read("/v1/verdicts").path("verdicts")) {
                for (JsonNode difference : verdict.at("/outgoing/differences")) {
                    differences.add("%s %s | %s"
                            .formatted(
                                    difference.path("kind").asText(),
                                    difference.path("production").asText(),
                                    difference.path("debug").asText()));
                }
            }
            assertThat(differences)
                    .containsExactlyInAnyOrder(
                            "ADDED null | GET /more",
                            "LEFT_OUT GET /three | null",
                            "CHANGED GET /orders/1 | GET /orders/2",
                            "REORDERED GET /first | GET /second");

            assertThat(twins.read("/v1/outgoing?kind=different&limit=100").path("outgoing"))
                    .hasSize(4);
            assertThat(status(tee))
                    .contains("upstream calls", EQUAL + " exchanges made the same, 4 others, 0 weren't compared");
        }
    }

    private TeeStage tee(Twins twins) throws Exception {
        String listener = "production: 127.0.0.1:%d, debug: 127.0.0.1:%d, protocol: http"
                .formatted(twins.production(), twins.debug());
        TeeStage tee = TeeStage.open(folder, listener, "aggregator.url=" + twins.control());
        await("link")
                .atMost(PATIENCE)
                .until(() -> twins.status().at("/inbound/linked").asBoolean());
        return tee;
    }

    private void ask(TeeStage tee, String production, String debug) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + tee.port() + "/work"))
                .header(Twins.PRODUCTION_CALLS, production)
                .header(Twins.DEBUG_CALLS, debug)
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    private static Map<String, Integer> counts(TeeStage tee) throws Exception {
        Map<String, Integer> counts = new TreeMap<>();
        JsonNode calls = tee.read("/v1/status").at("/outgoing/0");
        for (String kind : List.of("SAME", "DIFFERENT", "NOT_COMPARED")) {
            counts.put(kind, calls.path(kind).asInt());
        }
        return counts;
    }

    private String status(TeeStage tee) throws Exception {
        List<String> line = List.of("./understudy", "status", "--url", tee.control());
        try (Child child = Child.start(folder.resolve("status.log"), line)) {
            assertThat(child.exitCode(PATIENCE)).as(child.output()).isIn(0, 1);
            return child.output();
        }
    }
}

package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.config.SidecarConfig;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Failing and good requests are sent to the debug JVM again, and what an agent tells of them is compared. */
final class SidecarComparisonTest {
    private static final String BAD = "/orders?item=none";

    private final HttpClient client = HttpClient.newHttpClient();
    private final Queue<String> spans = new ConcurrentLinkedQueue<>();
    private final Map<String, String> asked = new ConcurrentHashMap<>();
    private volatile String failing = BAD;
    private volatile String needed = "";
    private volatile int refused;
    private String cookie = "";

    @Test
    void failingRequest_isSentTwice_andTwoGoodOnesOnce_andTheirExecutionsAreCompared() throws Exception {
        try (HttpService production = shop();
                HttpService debug = shop();
                Stage stage = Stage.open(production.address(), debug.address())) {
            trade(stage);
            int ofProduction = production.asked.size();
            report(stage, 0);

            JsonNode begun = post(stage, "/v1/comparisons", "{}", 200).at("/comparisons/0");
            assertThat(begun.at("/failing/request").asText()).isEqualTo("GET " + BAD);
            assertThat(begun.path("passing")).hasSize(2);
            post(stage, "/v1/comparisons", "{}", 409);

            JsonNode ordered = awaitOrder(stage);
            assertThat(ordered.path("classes").toString()).isEqualTo("[\"A\"]");
            assertThat(ordered.path("runs")).hasSize(4);
            report(stage, stage.control("/v1/orders").path("revision").asInt());
            await("all are sent")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> asked.keySet().containsAll(traces(ordered)));
            ordered.path("runs").forEach(run -> tell(stage, run.path("trace").asText()));

            JsonNode done = awaitState(stage, "DONE");
            assertThat(done.path("asked"))
                    .extracting(one -> one.path("reply").asText() + one.path("fails"))
                    .containsExactly("500true", "200false", "500true", "200false");
            assertThat(done.path("calls").asInt()).isEqualTo(8);
            assertThat(done.at("/partings/0/method").asText()).isEqualTo("A#maker");
            assertThat(done.at("/partings/0/failing").asText()).isEqualTo("returned Nothing{}");
            assertThat(stage.control("/v1/orders").at("/orders/executions").isMissingNode())
                    .isTrue();
            JsonNode fromTheNext = stage.control("/v1/comparisons?from=1").at("/comparisons/0");
            assertThat(fromTheNext.path("partings"))
                    .hasSize(done.path("partingCount").asInt() - 1)
                    .isEqualTo(rest(done.path("partings")));
            assertThat(fromTheNext.path("partingCount")).isEqualTo(done.path("partingCount"));
            assertThat(production.asked).as("production isn't asked").hasSize(ofProduction);

            JsonNode suspects = stage.control("/v1/suspects");
            assertThat(suspects.at("/suspects/0/method").asText())
                    .as(suspects.toPrettyString())
                    .isEqualTo("A#maker");
            assertThat(suspects.at("/suspects/0/alike/0/method").asText()).isEqualTo("A#b");
            assertThat(post(stage, "/v1/executions", execution("f".repeat(32), false), 200)
                            .path("taken")
                            .asInt())
                    .as("nobody waits for it")
                    .isZero();
        }
    }

    @Test
    void reducedRequest_isComparedWithThePartOfIt_thatGoesWell() throws Exception {
        needed = "code=fifty";
        failing = "/orders";
        try (HttpService production = shop();
                HttpService debug = shop();
                Stage stage = Stage.open(production.address(), debug.address())) {
            for (int n = 0; n < 12; n++) {
                get(stage, "/orders?item=" + n + "&lang=de&code=fifty&token=s3cret", n + 1);
                stage.observed(spans.remove(), true);
            }
            int ofProduction = production.asked.size();
            report(stage, 0);
            assertThat(post(stage, "/v1/comparisons", "{}", 409).path("detail").asText())
                    .as("none went well")
                    .startsWith("no request of GET /orders");

            post(stage, "/v1/comparisons", "{\"reduce\":true}", 200);
            JsonNode ordered = awaitOrder(stage);
            report(stage, stage.control("/v1/orders").path("revision").asInt());
            await("all are sent")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> asked.keySet().containsAll(traces(ordered)));
            ordered.path("runs").forEach(run -> tell(stage, run.path("trace").asText()));

            JsonNode done = awaitState(stage, "DONE");
            assertThat(done.path("asked"))
                    .extracting(
                            one -> one.path("role").asText() + one.path("reply").asText())
                    .containsExactly("failing500", "passing200", "failing500", "passing200");
            assertThat(done.at("/reduced/request").asText()).startsWith("GET /orders?code=fifty HTTP/1.1");
            assertThat(done.at("/reduced/needs/0/part").asText()).isEqualTo("parameter code=fifty");
            assertThat(done.at("/reduced/needs/0/reply").asText()).isEqualTo("200");
            assertThat(done.at("/reduced/smallestBytes").asInt())
                    .isLessThan(done.at("/reduced/recordedBytes").asInt());
            assertThat(done.at("/failing/request").asText()).contains("lang=de");
            assertThat(done.path("passing"))
                    .extracting(one -> one.path("request").asText())
                    .containsExactly("GET /orders");
            assertThat(done.at("/partings/0/method").asText()).isEqualTo("A#maker");
            assertThat(production.asked).as("production isn't asked").hasSize(ofProduction);

            needed = "code=none";
            post(stage, "/v1/comparisons", "{\"reduce\":true}", 200);
            assertThat(awaitState(stage, "GIVEN_UP").path("words").asText())
                    .startsWith("the request doesn't fail again, it was answered 200");
            post(stage, "/v1/comparisons", "{\"reduce\":1}", 400);
        }
    }

    @Test
    void requests_areSentInTheSessionThatTheCopyMadeItself() throws Exception {
        try (HttpService production = guarded("sid=7d0f3b52c1e94a6e8b1f0a2d");
                HttpService debug = guarded("sid=c49e1a07f38d42b5962e7fd0");
                Stage stage = Stage.open(production.address(), debug.address())) {
            get(stage, "/login", 1);
            cookie = "sid=7d0f3b52c1e94a6e8b1f0a2d";
            spans.clear();
            trade(stage, 1);
            report(stage, 0);

            post(stage, "/v1/comparisons", "{}", 200);
            JsonNode ordered = awaitOrder(stage);
            report(stage, stage.control("/v1/orders").path("revision").asInt());
            await("all are sent")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> asked.keySet().containsAll(traces(ordered)));
            ordered.path("runs").forEach(run -> tell(stage, run.path("trace").asText()));

            assertThat(awaitState(stage, "DONE").path("asked"))
                    .extracting(one -> one.path("reply").asText())
                    .containsExactly("500", "200", "500", "200");
        }
    }

    @Test
    void repliesOfAnotherStatusThanBefore_areNotCompared() throws Exception {
        try (HttpService production = shop();
                HttpService debug = guarded("", () -> refused);
                Stage stage = Stage.open(production.address(), debug.address())) {
            trade(stage);
            report(stage, 0);
            refused = 503;

            post(stage, "/v1/comparisons", "{}", 200);
            awaitOrder(stage);
            report(stage, stage.control("/v1/orders").path("revision").asInt());

            assertThat(awaitState(stage, "GIVEN_UP").path("words").asText())
                    .startsWith("the request fails otherwise now: 503 instead of 500; it may need a state");
        }
    }

    @Test
    void requestThatFailsNoMore_isSaid() throws Exception {
        try (HttpService production = shop();
                HttpService debug = shop();
                Stage stage = Stage.open(production.address(), debug.address())) {
            trade(stage);
            report(stage, 0);
            failing = "/never";

            post(stage, "/v1/comparisons", "{}", 200);
            awaitOrder(stage);
            report(stage, stage.control("/v1/orders").path("revision").asInt());

            assertThat(awaitState(stage, "GIVEN_UP").path("words").asText())
                    .startsWith("the request doesn't fail again, it was answered 200");
        }
    }

    @Test
    @SuppressWarnings("try") // the copy ends before the rest
    void newestEight_areKept_andAreGivenUpAtOnceWithoutACopy() throws Exception {
        try (HttpService production = shop();
                HttpService debug = shop();
                Stage stage = Stage.open(production.address(), debug.address())) {
            trade(stage);
            report(stage, 0);
            debug.close();

            for (int n = 1; n <= 10; n++) {
                post(stage, "/v1/comparisons", "{}", 200);
                assertThat(awaitState(stage, "GIVEN_UP").path("words").asText()).startsWith("can't connect to");
            }

            JsonNode kept = stage.control("/v1/comparisons").path("comparisons");
            assertThat(kept).extracting(one -> one.path("number").asInt()).containsExactly(10, 9, 8, 7, 6, 5, 4, 3);
        }
    }

    @Test
    void whatIsMissing_isSaid() throws Exception {
        try (HttpService production = shop();
                HttpService debug = shop();
                Stage stage = Stage.open(production.address(), debug.address())) {
            assertThat(post(stage, "/v1/comparisons", "{}", 409).path("detail").asText())
                    .startsWith("no failing request is kept");
            get(stage, BAD, 1);
            assertThat(post(stage, "/v1/comparisons", "{}", 409).path("detail").asText())
                    .startsWith("no request of GET /orders");
            get(stage, "/orders?item=1", 2);
            assertThat(post(stage, "/v1/comparisons", "{}", 409).path("detail").asText())
                    .startsWith("no agent has observed a failing exchange");
            post(stage, "/v1/comparisons", "{\"exchange\":\"x\"}", 400);
            post(stage, "/v1/comparisons", "{\"exchange\":99}", 409);
            post(stage, "/v1/executions", "{\"name\":\"a\"}", 400);
        }
    }

    @Test
    void experiments_beginByThemselves_orNotAtAll_asTheSettingsSay(@TempDir Path folder) throws Exception {
        try (HttpService production = shop();
                HttpService debug = shop();
                Stage stage = Stage.of(settings(folder, production, debug, "on"))) {
            trade(stage);
            report(stage, 0);
            awaitOrder(stage);
            JsonNode begun = stage.control("/v1/comparisons").path("comparisons");
            assertThat(begun).hasSize(1);
            assertThat(begun.at("/0/automatic").asBoolean()).isTrue();
            assertThat(begun.at("/0/failing/request").asText()).isEqualTo("GET " + BAD);
        }
        try (HttpService production = shop();
                HttpService debug = shop();
                Stage stage = Stage.of(settings(folder, production, debug, "off"))) {
            assertThat(post(stage, "/v1/comparisons", "{}", 409).path("detail").asText())
                    .isEqualTo("the setting experiments is off (expected: ask or on)");
        }
    }

    private static SidecarConfig settings(Path folder, HttpService production, HttpService debug, String experiments)
            throws Exception {
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - {name: orders, listen: "127.0.0.1:0", production: "127.0.0.1:%d", debug: ["127.0.0.1:%d"]}
                control: {listen: "127.0.0.1:0", anonymous: admin}
                experiments: "%s"
                drain: 1s
                """.formatted(
                        production.address().getPort(), debug.address().getPort(), experiments));
        Problems problems = new Problems();
        return SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems);
    }

    /** All but the first. */
    private static JsonNode rest(JsonNode all) {
        ArrayNode rest = all.deepCopy();
        rest.remove(0);
        return rest;
    }

    private HttpService shop() throws Exception {
        return guarded("");
    }

    private HttpService guarded(String session) throws Exception {
        return guarded(session, () -> 0);
    }

    /**
     * One that wants the cookie which its login sets; none if that is empty.
     *
     * @param instead the status of all replies; 0 for their own
     */
    private HttpService guarded(String session, IntSupplier instead) throws Exception {
        return HttpService.answering((request, exchange) -> {
            String traceparent = exchange.getRequestHeaders().getFirst("traceparent");
            if (traceparent != null) {
                asked.put(traceparent.substring(3, 35), request.target());
                spans.add(traceparent.substring(36, 52));
            }
            if (request.target().equals("/login")) {
                exchange.getResponseHeaders().set("Set-Cookie", session + "; HttpOnly");
                HttpService.reply(exchange, 200, "{}");
                return;
            }
            String shown = exchange.getRequestHeaders().getFirst("Cookie");
            boolean isIn = session.isEmpty() || session.equals(shown);
            int own = isIn ? fails(request.target()) ? 500 : 200 : 401;
            HttpService.reply(exchange, instead.getAsInt() == 0 ? own : instead.getAsInt(), "{}");
        });
    }

    private boolean fails(String target) {
        return needed.isEmpty() ? target.equals(failing) : target.startsWith(failing) && target.contains(needed);
    }

    private void trade(Stage stage) throws Exception {
        trade(stage, 0);
    }

    /** A dozen good exchanges and a dozen failing ones after so many others, of which an agent tells. */
    private void trade(Stage stage, int before) throws Exception {
        for (int n = 0; n < 12; n++) {
            get(stage, "/orders?item=" + n, before + 2 * n + 1);
            stage.observed(spans.remove(), false);
            get(stage, BAD, before + 2 * n + 2);
            stage.observed(spans.remove(), true);
        }
    }

    private void get(Stage stage, String path, int verdicts) throws Exception {
        stage.get(path, cookie.isEmpty() ? new String[0] : new String[] {"Cookie", cookie});
        stage.awaitStatus(verdicts + " verdicts", status -> Stage.total(status) == verdicts);
    }

    private static Set<String> traces(JsonNode ordered) {
        return Set.copyOf(ordered.path("runs").findValuesAsText("trace"));
    }

    private static JsonNode awaitOrder(Stage stage) {
        await("an order")
                .atMost(Duration.ofSeconds(30))
                .until(() ->
                        stage.control("/v1/orders").at("/orders/executions").isObject());
        return stage.control("/v1/orders").at("/orders/executions");
    }

    private static JsonNode awaitState(Stage stage, String state) {
        await(state)
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(stage.control("/v1/comparisons")
                                .at("/comparisons/0/state")
                                .asText())
                        .as(stage.control("/v1/comparisons").toString())
                        .isEqualTo(state));
        return stage.control("/v1/comparisons").at("/comparisons/0");
    }

    private void report(Stage stage, int revision) throws Exception {
        post(
                stage,
                "/v1/agent",
                "{\"name\":\"a\",\"orders\":{\"revision\":" + revision + ",\"standing\":{},\"problems\":[]}}",
                200);
    }

    private void tell(Stage stage, String trace) {
        try {
            boolean fails = fails(String.valueOf(asked.get(trace)));
            assertThat(post(stage, "/v1/executions", execution(trace, fails), 200)
                            .path("taken")
                            .asInt())
                    .isEqualTo(2);
        } catch (Exception problem) {
            throw new AssertionError(problem);
        }
    }

    private static String execution(String trace, boolean fails) {
        return "{\"name\":\"a\",\"trace\":\"" + trace + "\",\"left\":0,\"methods\":[\"A#b\",\"A#maker\"],"
                + "\"threads\":[{\"name\":\"web\",\"events\":[[\"e\",0,\"A\"],[\"e\",1,\"A\",\"\\\"" + fails
                + "\\\"\"],[\"r\",1,\"" + (fails ? "Nothing{}" : "Maker{n=1}") + "\"],[\"r\",0]]}]}";
    }

    private JsonNode post(Stage stage, String path, String body, int status) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(stage.controlUri(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        var reply = client.send(request, BodyHandlers.ofString());
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(status);
        return new com.fasterxml.jackson.databind.ObjectMapper().readTree(reply.body());
    }
}

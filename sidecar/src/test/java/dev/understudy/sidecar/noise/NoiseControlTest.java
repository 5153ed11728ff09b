package dev.understudy.sidecar.noise;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.divergence.noise.NoiseRules;
import dev.understudy.divergence.noise.ValueClass;
import dev.understudy.relay.control.ControlConfig;
import dev.understudy.relay.control.ControlServer;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.control.access.AccessToken;
import dev.understudy.relay.control.access.Role;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.Judged;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Noise rules of operators, by a control port. */
final class NoiseControlTest {
    private static final int LIMIT = ComparisonRules.defaults().maxDifferences();
    private static final NoiseRule OF_FILE = new NoiseRule("*", "body.at", ValueClass.TIME);

    private final HttpClient client = HttpClient.newHttpClient();
    private final NoiseRules first = new NoiseRules(List.of(OF_FILE), LIMIT);
    private final NoiseRules second = new NoiseRules(List.of(OF_FILE), LIMIT);
    private final ExchangeLog kept = ExchangeLog.of(1_000, 1L << 30);

    @SuppressWarnings("NullAway.Init") // opened by each test
    private NoiseControl control;

    @SuppressWarnings("NullAway.Init") // opened by each test
    private ControlServer server;

    @BeforeEach
    void open() throws Exception {
        AccessConfig access = new AccessConfig(
                List.of(
                        new AccessToken("reader", Role.READ, "t-read"),
                        new AccessToken("operator", Role.OPERATE, "t-operate")),
                null);
        control = new NoiseControl(List.of(OF_FILE), List.of(first, second), kept);
        server = ControlServer.open(
                new ControlConfig(new InetSocketAddress("127.0.0.1", 0), access), control.addTo(new Routes()));
    }

    @AfterEach
    void close() {
        server.close();
        control.close();
    }

    @Test
    void aRuleThatIsAdded_holdsForAllDebugJvms_untilItIsTakenBack() throws Exception {
        Verdict different = different(value("body.id", "17", "18"));
        assertThat(first.apply("GET /orders/7", different).kind()).isEqualTo(VerdictKind.DIFFERENT);

        JsonNode rules = json(send("POST", "/v1/noise/rules", "operate", rule("GET /orders/{n}", "body.id", "number")));

        assertThat(rules.path("rules").findValuesAsText("id")).hasSize(2).startsWith("");
        String id = rules.at("/rules/1/id").asText();
        assertThat(first.apply("GET /orders/7", different).kind()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(second.apply("GET /orders/8", different).kind()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(second.apply("GET /others/8", different).kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(second.apply("GET /orders/8", different(value("body.id", "a", "b")))
                        .kind())
                .isEqualTo(VerdictKind.DIFFERENT);
        JsonNode told = json(send("GET", "/v1/noise/rules", "read", "")).at("/rules/1");
        assertThat(told.path("fired").asInt()).isEqualTo(2);

        assertThat(json(send("DELETE", "/v1/noise/rules/" + id, "operate", "")).path("rules"))
                .hasSize(1);
        assertThat(first.apply("GET /orders/7", different).kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(send("DELETE", "/v1/noise/rules/" + id, "operate", "").statusCode())
                .isEqualTo(404);
        assertThat(first.apply("GET /x", different(value("body.at", "2026-01-01", "2026-01-02")))
                        .kind())
                .as("the rule of the settings")
                .isEqualTo(VerdictKind.EQUIVALENT);
    }

    @Test
    void aTrial_tellsWhatARuleWouldHide_andChangesNothing() throws Exception {
        keep(1, "GET /orders/1", different(value("body.id", "1", "2")));
        keep(2, "GET /orders/2", different(value("body.id", "1", "2"), value("body.total", "3", "4")));
        keep(3, "GET /orders/3", different(value("body.total", "3", "4")));
        keep(4, "GET /others/4", different(value("body.id", "1", "2")));
        keep(5, "GET /orders/5", different(value("body.id", "a", "b")));
        keep(6, "GET /orders/6", Verdict.SAME);
        Difference[] many = new Difference[LIMIT];
        for (int n = 0; n < LIMIT; n++) {
            many[n] = value(n == 0 ? "body.id" : "body.f" + n, "1", "2");
        }
        keep(7, "GET /orders/7", different(many));

        JsonNode told = json(send("POST", "/v1/noise/trial", "read", rule("GET /orders/{n}", "body.id", "number")));

        assertThat(told.path("tried").asInt()).isEqualTo(6);
        assertThat(told.path("hidden").asInt()).isEqualTo(1);
        assertThat(told.path("reduced").asInt()).isEqualTo(1);
        assertThat(told.path("examples").findValuesAsText("exchange")).containsExactly("2", "1");
        assertThat(told.at("/examples/0").toString()).contains("\"path\":\"body.id\"", "\"hidden\":false");
        assertThat(json(send("GET", "/v1/noise/rules", "read", "")).path("rules"))
                .hasSize(1);
        assertThat(first.fired()).containsOnlyKeys(OF_FILE).containsEntry(OF_FILE, 0L);
    }

    @Test
    void aTrial_isOfThatRuleAlone_andKnowsWhatIsNotComparedInFull() throws Exception {
        keep(1, "GET /orders/1", different(value("body.id", "1", "2")));
        keep(2, "GET /orders/2", different(value("body.total", "1", "2"), value("body.id", "1", "2")));
        Verdict inPart =
                new Verdict(VerdictKind.DIFFERENT, NotCompared.TOO_LARGE, List.of(value("body.total", "1", "2")));
        keep(3, "GET /orders/3", inPart);
        send("POST", "/v1/noise/rules", "operate", rule("*", "body.id", "number"));

        JsonNode nothing = json(send("POST", "/v1/noise/trial", "read", rule("*", "body.none", "any")));
        assertThat(nothing.path("tried").asInt()).isEqualTo(2);
        assertThat(nothing.path("hidden").asInt() + nothing.path("reduced").asInt())
                .isZero();
        JsonNode total = json(send("POST", "/v1/noise/trial", "read", rule("*", "body.total", "number")));
        assertThat(total.path("hidden").asInt()).isEqualTo(1);
        assertThat(total.path("reduced").asInt()).as("it isn't compared then").isEqualTo(1);
        assertThat(total.at("/examples/0/path").asText()).isEqualTo("body.total");
    }

    @Test
    void namesAreFolded_andRefusedWhereTheyWereCut() throws Exception {
        JsonNode rules =
                json(send("POST", "/v1/noise/rules", "operate", rule("GET /orders/7", "body.items[3].id", "number")));
        assertThat(rules.at("/rules/1/route").asText()).isEqualTo("GET /orders/{n}");
        assertThat(rules.at("/rules/1/path").asText()).isEqualTo("body.items[*].id");
        for (String path : List.of("body." + "a".repeat(200), "body.a…")) {
            assertThat(send("POST", "/v1/noise/rules", "operate", rule("*", path, "any"))
                            .body())
                    .contains("path: too long");
        }
    }

    @Test
    void rulesAreBounded_andRefusedTwice() throws Exception {
        for (int n = 0; n < AddedRules.MOST; n++) {
            assertThat(send("POST", "/v1/noise/rules", "operate", rule("*", "body.f" + n, "any"))
                            .statusCode())
                    .isEqualTo(200);
        }
        HttpResponse<String> more = send("POST", "/v1/noise/rules", "operate", rule("*", "body.more", "any"));
        assertThat(more.statusCode()).isEqualTo(400);
        assertThat(more.body()).contains("100 are added");
        assertThat(first.fired()).hasSize(AddedRules.MOST + 1);
        String seventh = json(send("GET", "/v1/noise/rules", "read", ""))
                .at("/rules/7/id")
                .asText();
        send("DELETE", "/v1/noise/rules/" + seventh, "operate", "");
        assertThat(send("POST", "/v1/noise/rules", "operate", rule("*", "body.f1", "any"))
                        .body())
                .contains("there is this rule for body.f1 already");
    }

    @Test
    void readers_tryRules_andAddNone() throws Exception {
        String rule = rule("*", "body.id", "any");
        assertThat(send("POST", "/v1/noise/trial", "read", rule).statusCode()).isEqualTo(200);
        assertThat(send("POST", "/v1/noise/rules", "read", rule).statusCode()).isEqualTo(403);
        assertThat(send("DELETE", "/v1/noise/rules/n1", "read", "").statusCode())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|path: ",
                "[]|body: ",
                "{\"path\":7,\"value\":\"any\"}|path: ",
                "{\"path\":\"a\",\"value\":\"odd\"}|value: (expected: one of time, uuid",
                "{\"path\":\"a\",\"value\":\"any\",\"name\":\"x\"}|name: unknown",
                "{\"path\":\"a\",\"value\":\"any\",\"route\":\"\"}|route: "
            })
    void whatIsNoRule_isRefusedByItsField(String body, String words) throws Exception {
        for (String path : List.of("/v1/noise/rules", "/v1/noise/trial")) {
            HttpResponse<String> refused = send("POST", path, "operate", body);
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
            assertThat(refused.body()).contains(words);
        }
    }

    @Test
    void anyBody_isARuleOrRefused() throws Exception {
        byte[] right = rule("*", "body.id", "any").getBytes(StandardCharsets.UTF_8);
        Random random = new Random(13);
        for (int i = 0; i < 500; i++) {
            byte[] body = right.clone();
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                body[random.nextInt(body.length)] = (byte) random.nextInt(128);
            }
            HttpRequest request = request("/v1/noise/trial", "read")
                    .POST(BodyPublishers.ofByteArray(body))
                    .build();
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .as(new String(body, StandardCharsets.UTF_8))
                    .isIn(200, 400);
        }
    }

    private void keep(long exchange, String request, Verdict verdict) {
        kept.add("copy", "route", new Judged(exchange, "l", 1, null, request, verdict, null, 1.0, 1.0), null);
    }

    private static Verdict different(Difference... differences) {
        return new Verdict(VerdictKind.DIFFERENT, null, List.of(differences));
    }

    private static Difference value(String path, String production, String debug) {
        return new Difference(path, Difference.Type.VALUE, production, debug, null);
    }

    private static String rule(String route, String path, String value) {
        return "{\"route\":\"" + route + "\",\"path\":\"" + path + "\",\"value\":\"" + value + "\"}";
    }

    private static JsonNode json(HttpResponse<String> reply) throws Exception {
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        return new ObjectMapper().readTree(reply.body());
    }

    private HttpResponse<String> send(String method, String path, String role, String json) throws Exception {
        HttpRequest request = request(path, role)
                .method(method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path, String role) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.address().getPort() + path))
                .header("Authorization", "Bearer t-" + role)
                .header("Content-Type", "application/json");
    }
}

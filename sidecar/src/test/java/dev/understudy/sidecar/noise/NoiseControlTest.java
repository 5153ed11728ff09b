package dev.understudy.sidecar.noise;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.divergence.noise.NoiseRules;
import dev.understudy.divergence.noise.ValueClass;
import dev.understudy.relay.control.Routes;
import dev.understudy.sidecar.RolePort;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.Judged;
import java.net.http.HttpResponse;
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

    private final NoiseRules first = new NoiseRules(List.of(OF_FILE), LIMIT);
    private final NoiseRules second = new NoiseRules(List.of(OF_FILE), LIMIT);
    private final ExchangeLog kept = ExchangeLog.of(1_000, 1L << 30);

    @SuppressWarnings("NullAway.Init") // opened by each test
    private NoiseControl control;

    @SuppressWarnings("NullAway.Init") // opened by each test
    private RolePort port;

    @BeforeEach
    void open() throws Exception {
        control = new NoiseControl(List.of(OF_FILE), List.of(first, second), kept);
        port = new RolePort(control.addTo(new Routes()));
    }

    @AfterEach
    void close() {
        port.close();
        control.close();
    }

    @Test
    void aRuleThatIsAdded_holdsForAllDebugJvms_untilItIsTakenBack() throws Exception {
        Verdict different = different(value("body.id", "17", "18"));
        assertThat(first.apply("GET /orders/7", different).kind()).isEqualTo(VerdictKind.DIFFERENT);

        JsonNode rules = port.json("POST", "/v1/noise/rules", "operate", rule("GET /orders/{n}", "body.id", "number"));

        assertThat(rules.path("rules").findValuesAsText("id")).hasSize(1);
        assertThat(rules.path("configured").asInt()).isEqualTo(1);
        String id = rules.at("/rules/0/id").asText();
        assertThat(first.apply("GET /orders/7", different).kind()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(second.apply("GET /orders/8", different).kind()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(second.apply("GET /others/8", different).kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(second.apply("GET /orders/8", different(value("body.id", "a", "b")))
                        .kind())
                .isEqualTo(VerdictKind.DIFFERENT);
        JsonNode told = port.json("GET", "/v1/noise/rules", "read", "").at("/rules/0");
        assertThat(told.path("fired").asInt()).isEqualTo(2);

        assertThat(port.json("DELETE", "/v1/noise/rules/" + id, "operate", "").path("rules"))
                .isEmpty();
        assertThat(first.apply("GET /orders/7", different).kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(port.send("DELETE", "/v1/noise/rules/" + id, "operate", "").statusCode())
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

        JsonNode told = port.json("POST", "/v1/noise/trial", "read", rule("GET /orders/{n}", "body.id", "number"));

        assertThat(told.path("tried").asInt()).isEqualTo(6);
        assertThat(told.path("hidden").asInt()).isEqualTo(1);
        assertThat(told.path("reduced").asInt()).isEqualTo(1);
        assertThat(told.path("examples").findValuesAsText("exchange")).containsExactly("2", "1");
        assertThat(told.at("/examples/0").toString()).contains("\"path\":\"body.id\"", "\"hidden\":false");
        assertThat(port.json("GET", "/v1/noise/rules", "read", "").path("rules"))
                .isEmpty();
        assertThat(first.fired()).containsOnlyKeys(OF_FILE).containsEntry(OF_FILE, 0L);
    }

    @Test
    void aTrial_isOfThatRuleAlone_andKnowsWhatIsNotComparedInFull() throws Exception {
        keep(1, "GET /orders/1", different(value("body.id", "1", "2")));
        keep(2, "GET /orders/2", different(value("body.total", "1", "2"), value("body.id", "1", "2")));
        Verdict inPart =
                new Verdict(VerdictKind.DIFFERENT, NotCompared.TOO_LARGE, List.of(value("body.total", "1", "2")));
        keep(3, "GET /orders/3", inPart);
        port.send("POST", "/v1/noise/rules", "operate", rule("*", "body.id", "number"));

        JsonNode nothing = port.json("POST", "/v1/noise/trial", "read", rule("*", "body.none", "any"));
        assertThat(nothing.path("tried").asInt()).isEqualTo(2);
        assertThat(nothing.path("hidden").asInt() + nothing.path("reduced").asInt())
                .isZero();
        JsonNode total = port.json("POST", "/v1/noise/trial", "read", rule("*", "body.total", "number"));
        assertThat(total.path("hidden").asInt()).isEqualTo(1);
        assertThat(total.path("reduced").asInt()).as("it isn't compared then").isEqualTo(1);
        assertThat(total.at("/examples/0/path").asText()).isEqualTo("body.total");
        JsonNode none = port.json("POST", "/v1/noise/trial", "read", rule("*", "body.id", "none"));
        assertThat(none.path("hidden").asInt() + none.path("reduced").asInt())
                .as("what forbids hides nothing")
                .isZero();
    }

    @Test
    void namesAreFolded_andRefusedWhereTheyWereCut() throws Exception {
        JsonNode rules =
                port.json("POST", "/v1/noise/rules", "operate", rule("GET /orders/7", "body.items[3].id", "number"));
        assertThat(rules.at("/rules/0/route").asText()).isEqualTo("GET /orders/{n}");
        assertThat(rules.at("/rules/0/path").asText()).isEqualTo("body.items[*].id");
        for (String path : List.of("body." + "a".repeat(200), "body.a…")) {
            assertThat(port.send("POST", "/v1/noise/rules", "operate", rule("*", path, "any"))
                            .body())
                    .contains("path: too long");
        }
    }

    @Test
    void rulesAreBounded_andRefusedTwice() throws Exception {
        for (int n = 0; n < AddedRules.MOST; n++) {
            assertThat(port.send("POST", "/v1/noise/rules", "operate", rule("*", "body.f" + n, "any"))
                            .statusCode())
                    .isEqualTo(200);
        }
        HttpResponse<String> more = port.send("POST", "/v1/noise/rules", "operate", rule("*", "body.more", "any"));
        assertThat(more.statusCode()).isEqualTo(400);
        assertThat(more.body()).contains("100 are added");
        assertThat(first.fired()).hasSize(AddedRules.MOST + 1);
        String seventh = port.json("GET", "/v1/noise/rules", "read", "")
                .at("/rules/7/id")
                .asText();
        port.send("DELETE", "/v1/noise/rules/" + seventh, "operate", "");
        assertThat(port.send("POST", "/v1/noise/rules", "operate", rule("*", "body.f1", "any"))
                        .body())
                .contains("there is this rule for body.f1 already");
    }

    @Test
    void readers_tryRules_andAddNone() throws Exception {
        String rule = rule("*", "body.id", "any");
        assertThat(port.send("POST", "/v1/noise/trial", "read", rule).statusCode())
                .isEqualTo(200);
        assertThat(port.send("POST", "/v1/noise/rules", "read", rule).statusCode())
                .isEqualTo(403);
        assertThat(port.send("DELETE", "/v1/noise/rules/n1", "read", "").statusCode())
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
            HttpResponse<String> refused = port.send("POST", path, "operate", body);
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
            String text = new String(body, StandardCharsets.UTF_8);
            assertThat(port.send("POST", "/v1/noise/trial", "read", text).statusCode())
                    .as(text)
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
}

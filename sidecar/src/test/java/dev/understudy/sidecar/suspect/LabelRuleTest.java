package dev.understudy.sidecar.suspect;

import dev.understudy.divergence.wire.http.GrpcCode;
import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.LabelRule.Also;
import dev.understudy.sidecar.label.LabelRule.Why;
import dev.understudy.sidecar.label.ReplyCondition;
import dev.understudy.sidecar.label.RuleHits;
import dev.understudy.sidecar.label.Slow;
import dev.understudy.sidecar.label.Times;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class LabelRuleTest {
    private static final LabelRule DEFAULTS = LabelRule.defaults();

    private final Times times = new Times();

    @Test
    void theOperatorsRule_labels() {
        LabelRule rule = new LabelRule(
                false, 501, false, false, Slow.from(Duration.ofMillis(50)), List.of(Also.of("404 GET /users/*")), 10);

        assertThat(rule.judge(of("GET /", 404, 1.0), true, true, times)).isEqualTo(Why.NONE);
        assertThat(judge(rule, of("GET /users/7?x=1", 404, 1.0))).isEqualTo(Why.RULE);
        assertThat(judge(rule, of("POST /users/7", 404, 1.0))).isEqualTo(Why.NONE);
        assertThat(judge(rule, of("GET /", 200, 50.0))).isEqualTo(Why.SLOW);
        assertThat(judge(rule, of("GET /", 501, 1.0))).isEqualTo(Why.STATUS);
        assertThat(judge(rule, of("GET /", 0, null))).isEqualTo(Why.UNKNOWN);
        assertThat(DEFAULTS.judge(of("GET /", 200, 1.0), true, true, times)).isEqualTo(Why.ESCAPED);
        assertThat(DEFAULTS.judge(of("GET /", 200, 1.0), false, true, times)).isEqualTo(Why.LOGGED);
        assertThatThrownBy(() -> Also.of("GET /")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aReplyThatDiffersFromAFailingOneOfProductions_blamesNobodyInDebug() {
        assertThat(judge(DEFAULTS, differs(200, 500)))
                .as("only production failed")
                .isEqualTo(Why.UNKNOWN);
        assertThat(judge(DEFAULTS, differs(500, 503))).isEqualTo(Why.STATUS);
        assertThat(judge(DEFAULTS, differs(200, 404))).isEqualTo(Why.DIFFERENT);
        assertThat(judge(DEFAULTS, differs(0, 500))).as("debug didn't answer").isEqualTo(Why.DIFFERENT);
        assertThat(DEFAULTS.judge(differs(200, 500), true, false, times)).isEqualTo(Why.ESCAPED);
        assertThat(judge(DEFAULTS.withoutDifferent(), differs(200, 500))).isEqualTo(Why.NONE);
    }

    @Test
    void aReplyThatDiffersAndShowsAFailureByItself_failsByThat() {
        Also gone = Also.of("404 GET /");
        LabelRule rule = new LabelRule(true, 500, true, true, Slow.NEVER, List.of(gone), 10);
        Also never = Also.of("404 POST /");
        LabelRule without = new LabelRule(true, 500, true, true, Slow.NEVER, List.of(never), 10);

        assertThat(judge(rule, differs(500, 200))).isEqualTo(Why.STATUS);
        assertThat(judge(rule, differs(404, 200))).isEqualTo(Why.RULE);
        assertThat(judge(without, differs(404, 200))).isEqualTo(Why.DIFFERENT);
    }

    @Test
    void aRuleMayAskWhatTheReplyShows() {
        Also rule = Also.of("200 POST /orders* where  json /total < 0");
        LabelRule rules = new LabelRule(false, 500, false, false, Slow.NEVER, List.of(rule, rule), 10);
        assertThat(rules.conditions()).containsExactly(ReplyCondition.of("json /total < 0"));

        TestEnding order = TestEnding.of().request("POST /orders/7");
        assertThat(judge(rules, order.end())).isEqualTo(Why.NONE);
        assertThat(judge(rules, order.shows("json /total > 0").end())).isEqualTo(Why.NONE);
        assertThat(judge(rules, order.shows("json /total < 0").end())).isEqualTo(Why.RULE);
        assertThat(judge(rules, order.status(201).end())).isEqualTo(Why.NONE);
        assertThat(judge(rules, TestEnding.of().shows("json /total < 0").end())).isEqualTo(Why.NONE);

        RuleHits hits = new RuleHits(List.of(rule, Also.of("404 GET /")));
        hits.add(order.status(200).end());
        assertThat(hits.read()).containsEntry(rule.toString(), 1L).containsEntry("404 GET /", 0L);
        for (String wrong :
                List.of("200 GET / where", "200 GET / where json total", "where text x", ":1 GET / where text x")) {
            assertThatThrownBy(() -> Also.of(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** By an engine that backtracks it would take longer than anybody waits. */
    @Test
    void aRuleOfManyStars_isMatchedWithoutBacktracking() {
        assertThat(Arrays.stream(Also.class.getDeclaredFields())
                        .map(field -> field.getType().getName()))
                .contains("com.google.re2j.Pattern")
                .doesNotContain("java.util.regex.Pattern");
        Also many = Also.of("404 GET /" + "*a".repeat(20) + "*b");
        LabelRule rule = new LabelRule(false, 500, false, false, Slow.NEVER, List.of(many), 10);

        String path = "GET /" + "a".repeat(8_000);
        assertThat(judge(rule, of(path, 404, 1.0))).isEqualTo(Why.NONE);
        assertThat(judge(rule, of(path + "\nb", 404, 1.0))).isEqualTo(Why.RULE);
    }

    private static ExchangeOutcome differs(int debug, int production) {
        return TestEnding.of().different(true).statuses(debug, production).end();
    }

    @Test
    void aReplyWithoutAStatus_isLabelledByHowItBegins() {
        LabelRule rule = new LabelRule(false, 500, false, true, Slow.NEVER, List.of(Also.of(":1 EXISTS gone:*")), 10);

        assertThat(judge(rule, said("EXISTS gone:7", ":1"))).isEqualTo(Why.RULE);
        assertThat(judge(rule, said("EXISTS gone:7", ":0"))).isEqualTo(Why.NONE);
        assertThat(judge(rule, said("EXISTS user:7", ":1"))).isEqualTo(Why.NONE);
        assertThatThrownBy(() -> Also.of("1 EXISTS a")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCallOfGrpc_failsByTheCodesThatBlameTheServer() {
        for (GrpcCode code : GrpcCode.values()) {
            boolean server =
                    List.of("grpc 2", "grpc 4", "grpc 13", "grpc 14", "grpc 15").contains(code.said());
            assertThat(judge(DEFAULTS, grpc("POST /shop.Cart/get", code)))
                    .as(code.name())
                    .isEqualTo(server ? Why.STATUS : Why.NONE);
        }
        LabelRule none = new LabelRule(false, 500, Set.of(), false, false, Slow.NEVER, List.of(), 10);
        assertThat(judge(none, grpc("POST /shop.Cart/get", GrpcCode.INTERNAL))).isEqualTo(Why.NONE);
        assertThat(judge(DEFAULTS, said("tcp grpc", "grpc 13")))
                .as("bytes that look alike")
                .isEqualTo(Why.NONE);
    }

    @Test
    void aCallOfGrpc_isLabelledByItsCodeAndMethod() {
        for (String also : List.of("grpc:5 POST /shop.Cart/*", "grpc:NOT_FOUND post /shop.Cart/*")) {
            LabelRule rule = new LabelRule(false, 500, false, false, Slow.NEVER, List.of(Also.of(also)), 10);
            assertThat(judge(rule, grpc("POST /shop.Cart/get", GrpcCode.NOT_FOUND)))
                    .isEqualTo(Why.RULE);
            assertThat(judge(rule, grpc("POST /shop.Cart/get", GrpcCode.ABORTED)))
                    .isEqualTo(Why.NONE);
            assertThat(judge(rule, grpc("POST /shop.Carts/get", GrpcCode.NOT_FOUND)))
                    .isEqualTo(Why.NONE);
        }
        for (String wrong : List.of(
                "17 POST /a", "05 POST /a", "-1 POST /a", " POST /a", "not_found POST /a", "5 POST /a b", "5 POST")) {
            assertThatThrownBy(() -> Also.of("grpc:" + wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aTurnOfBytes_isLabelledByHowItsAnswerBegins_andItsFirstWord() {
        LabelRule rule = new LabelRule(
                false,
                500,
                false,
                false,
                Slow.from(Duration.ofMillis(50)),
                List.of(Also.of("SERVER_ERROR\\x20out* tcp set"), Also.of("*\\xff\\x9b* tcp *")),
                10);

        assertThat(judge(rule, said("tcp set", "SERVER_ERROR out of memory"))).isEqualTo(Why.RULE);
        assertThat(judge(rule, said("tcp get", "SERVER_ERROR out of memory"))).isEqualTo(Why.NONE);
        assertThat(judge(rule, said("tcp set", "STORED\\x0d\\x0a"))).isEqualTo(Why.NONE);
        assertThat(judge(rule, said("tcp", "\\x00\\xff\\x9b\\x00"))).isEqualTo(Why.RULE);
        assertThat(judge(rule, TestEnding.saying("").request("tcp").took(60.0).end()))
                .isEqualTo(Why.SLOW);
        assertThatThrownBy(() -> Also.of("ERROR tcp")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTurnOfBytes_isLabelledByHowItBegins() {
        LabelRule rule = new LabelRule(
                false,
                500,
                false,
                false,
                Slow.NEVER,
                List.of(Also.of("\\x00T* tcp *\\x03/carts/7\\x20a*"), Also.of("* tcp get\\x20a\\x0d\\x0a")),
                10);

        assertThat(judge(rule, bytes("tcp", "\\x00\\x03/carts/7 a\\x00", "\\x00T\\x01")))
                .isEqualTo(Why.RULE);
        assertThat(judge(rule, bytes("tcp", "\\x00\\x03/carts/8 a\\x00", "\\x00T\\x01")))
                .isEqualTo(Why.NONE);
        assertThat(judge(rule, bytes("tcp", "\\x00\\x03/carts/7 a\\x00", "\\x00\\x10")))
                .isEqualTo(Why.NONE);
        assertThat(judge(rule, bytes("tcp get", "get a\\x0d\\x0a", ""))).isEqualTo(Why.RULE);
        assertThat(judge(rule, bytes("tcp get", "get ab\\x0d\\x0a", ""))).isEqualTo(Why.NONE);
    }

    @Test
    void aPercentile_isThatOfTheRoute_onceEnoughIsKnownOfIt() {
        LabelRule rule = new LabelRule(true, 500, true, true, Slow.percentile("p90"), List.of(), 10);
        assertThat(judge(rule, of("GET /orders/1", 200, 900.0))).isEqualTo(Why.NONE);
        for (int i = 0; i < Times.LEAST; i++) {
            times.add(of("GET /orders/" + i, 200, i % 2 == 0 ? 10.0 : 20.0));
            times.add(of("POST /reports", 200, 1000.0));
        }

        assertThat(judge(rule, of("GET /orders/7", 200, 30.0))).isEqualTo(Why.SLOW);
        assertThat(judge(rule, of("GET /orders/7", 200, 20.0))).isEqualTo(Why.NONE);
        assertThat(judge(rule, of("POST /reports", 200, 1000.0))).isEqualTo(Why.NONE);
        assertThat(judge(rule, of("POST /reports", 200, 1100.0))).isEqualTo(Why.SLOW);
        assertThatThrownBy(() -> Slow.percentile("p100")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Slow.percentile("p05")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void routesBeyondTheBound_haveNoSlowExchanges() {
        LabelRule rule = new LabelRule(true, 500, true, true, Slow.percentile("p90"), List.of(), 10);
        for (int route = 0; route <= Times.MOST_ROUTES; route++) {
            for (int i = 0; i < Times.LEAST; i++) {
                times.add(of("GET /" + letters(route), 200, 1.0));
            }
        }

        assertThat(judge(rule, of("GET /" + letters(0), 200, 9.0))).isEqualTo(Why.SLOW);
        assertThat(judge(rule, of("GET /" + letters(Times.MOST_ROUTES), 200, 9.0)))
                .isEqualTo(Why.NONE);
    }

    private Why judge(LabelRule rule, ExchangeOutcome ending) {
        return rule.judge(ending, false, false, times);
    }

    /** A name without digits, which would make all of them one route. */
    private static String letters(int number) {
        return "" + (char) ('a' + number / 26) + (char) ('a' + number % 26);
    }

    @Test
    void anErrorOfSql_isLabelledByItsStateAndTheStatement() {
        LabelRule rule = new LabelRule(
                false, 500, false, false, Slow.NEVER, List.of(LabelRule.Also.of("23502 INSERT INTO reports*")), 10);

        assertThat(rule.judge(said("insert INTO REPORTS VALUES (?)", "ERROR 23502"), false, false, new Times()))
                .isEqualTo(LabelRule.Why.RULE);
        assertThat(rule.judge(said("INSERT INTO reports VALUES (?)", "ERROR 23505"), false, false, new Times()))
                .isEqualTo(LabelRule.Why.NONE);
        assertThat(rule.judge(said("INSERT INTO orders VALUES (?)", "ERROR 23502"), false, false, new Times()))
                .isEqualTo(LabelRule.Why.NONE);
        assertThatThrownBy(() -> LabelRule.Also.of("23502 INSERT")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LabelRule.Also.of("404 GET /a b")).isInstanceOf(IllegalArgumentException.class);
    }

    private static ExchangeOutcome said(String request, String reply) {
        return TestEnding.saying(reply).request(request).end();
    }

    private static ExchangeOutcome bytes(String request, String opening, String reply) {
        return TestEnding.saying(reply).request(request).opening(opening).end();
    }

    private static ExchangeOutcome grpc(String request, GrpcCode code) {
        return TestEnding.of().request(request).code(code.said()).end();
    }

    private static ExchangeOutcome of(String request, int status, @Nullable Double millis) {
        return TestEnding.of().request(request).status(status).took(millis).end();
    }
}

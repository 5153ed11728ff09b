package dev.understudy.sidecar.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

final class ReportTest {

    /** The sentence of a patched build that is faster, and wrong twice. */
    @Test
    void sentence_tellsWhatAPatchChanges() {
        Random random = new Random(5);
        Map<Long, Long> production = new TreeMap<>();
        Map<Long, Long> debug = new TreeMap<>();
        for (int i = 0; i < 10_000; i++) {
            long micros = 1000 + (long) (Math.abs(random.nextGaussian()) * 1000);
            production.merge(micros, 1L, Long::sum);
            debug.merge(micros * 88 / 100, 1L, Long::sum);
        }
        Session.Route route = new Session.Route(
                "GET /orders/{n}",
                Map.of("SAME", 9_998L, "DIFFERENT", 2L),
                production,
                debug,
                Session.Overhead.UNKNOWN);
        Session.Copy copy = copy(List.of(route), List.of(cause(7, 1, "GET /orders/7", "1250", "1249")));

        Report.Part part = Report.of(
                        new Session("", "", List.of(copy), List.of(), List.of(), List.of(), List.of()), null)
                .parts()
                .get(0);

        assertThat(Report.sentence(part))
                .isEqualTo("same answers on 9 998 of 10 000, 2 differ: GET /orders/{n} (VALUE "
                        + "body.total), p99 −12 % (p<0.001)");
        assertThat(part.speed().surelySlower(99)).isNegative();
    }

    @Test
    void noDifferenceOfSpeed_isNotSure() {
        Map<Long, Long> micros = Map.of(1000L, 980L, 9000L, 20L);
        Speed speed =
                part(route("GET /", micros, micros, Session.Overhead.UNKNOWN)).speed();

        assertThat(speed.sentence()).isEqualTo("p99 ±0 % (p=1.00)");
        assertThat(speed.surelySlower(99)).isZero();
        assertThat(part().speed().sentence()).isEqualTo("too few answers to compare their speed (0)");
    }

    @Test
    void costOfInstrumentation_isTakenOut_routeByRoute() {
        Session.Route dear = route("GET /dear", Map.of(100L, 50L), Map.of(180L, 50L), new Session.Overhead(100, 80));
        Session.Route cheap = route("GET /cheap", Map.of(100L, 50L), Map.of(110L, 50L), new Session.Overhead(300, 10));
        Session.Route rare = route("GET /rare", Map.of(100L, 50L), Map.of(127L, 50L), new Session.Overhead(3, 900));
        Report.Part part = part(dear, cheap, rare);

        assertThat(part.cost().of("GET /dear")).isEqualTo(80);
        assertThat(part.cost().of("GET /cheap")).isEqualTo(10);
        double mean = (100 * 80 + 300 * 10 + 3 * 900) / 403.0;
        assertThat(part.cost().of("GET /rare")).as("too few of its own").isCloseTo(mean, within(1e-9));
        assertThat(part.cost().statement())
                .contains(" 34.0 µs ", "in 403 requests", "Of 1 route fewer than 20", "isn't known and stays in");
        assertThat(sentence(part, "GET /dear")).isEqualTo("median ±0 % (p=1.00)");
        assertThat(sentence(part, "GET /cheap")).isEqualTo("median ±0 % (p=1.00)");
        assertThat(sentence(part, "GET /rare")).startsWith("median −7.0 %");
    }

    @Test
    void costOfInstrumentation_thatIsntKnown_isntTakenOut() {
        Report.Part silent = part(route("GET /", Map.of(100L, 50L), Map.of(120L, 50L), Session.Overhead.UNKNOWN));
        Report.Part few = part(route("GET /", Map.of(100L, 50L), Map.of(120L, 50L), new Session.Overhead(19, 20)));

        assertThat(silent.cost().statement())
                .isEqualTo(
                        "No agent has told what instrumentation costs: it isn't known," + " and nothing is taken out.");
        assertThat(few.cost().statement()).contains("too few requests (19)", "nothing is taken out");
        assertThat(silent.speed().sentence()).startsWith("median +20 %");
        assertThat(few.speed().sentence()).startsWith("median +20 %");
    }

    @Test
    void page_saysWhatWasTakenOut_ofWhichRoute() {
        Report report = Report.of(
                session(route("GET /dear", Map.of(100L, 50L), Map.of(180L, 50L), new Session.Overhead(100, 80))), null);

        assertThat(HtmlReport.of(report, List.of()))
                .contains("taken out, µs", ">80.0<", "80.0 µs of a request on average");
        assertThat(report.document(List.of()).toString()).contains("takenOutMicros=80.0", "instrumentation=The");
    }

    private static String sentence(Report.Part part, String route) {
        return Objects.requireNonNull(part.speeds().get(route)).sentence();
    }

    private static Session.Route route(
            String name, Map<Long, Long> production, Map<Long, Long> debug, Session.Overhead overhead) {
        return new Session.Route(name, Map.of("SAME", 50L), production, debug, overhead);
    }

    private static Session session(Session.Route... routes) {
        return new Session(
                "", "", List.of(copy(List.of(routes), List.of())), List.of(), List.of(), List.of(), List.of());
    }

    private static Report.Part part(Session.Route... routes) {
        return Report.of(session(routes), null).parts().get(0);
    }

    @Test
    void divergences_thatMayFollow_standBelowTheFirst() {
        Session.Cause write = cause(10, 1, "POST /orders/7", "1250", "1249");
        Session.Cause sameValues = cause(20, 9, "GET /invoices", "1250", "1249");
        Session.Cause sameThing = cause(30, 9, "GET /orders/7", "open", "closed");
        Session.Cause sameConnection = cause(40, 1, "GET /basket", "abc", "abd");
        Session.Cause sameSession = cause(45, 8, "GET /me", "ann!", "bob!");
        Session.Cause another = cause(50, 9, "GET /orders/8", "yes!", "no!!");

        List<FirstCauses.Node> first =
                FirstCauses.of(List.of(another, sameThing, sameConnection, sameSession, sameValues, write));

        assertThat(first).extracting(FirstCauses.Node::cause).containsExactly(write, another);
        assertThat(first.get(0).followers())
                .extracting(FirstCauses.Node::why)
                .containsExactly(
                        "the same values differ as in exchange 10",
                        "it is about the same thing as in exchange 10",
                        "it came later on the same connection as in exchange 10",
                        "it came later in the same session as in exchange 10");
        assertThat(first.get(0).total()).isEqualTo(5);
    }

    /** Noise that nobody told us of must not take what is really wrong below itself. */
    @Test
    void divergence_withAnotherDifferenceBeside_isAFirstCause() {
        Session.Cause noise = cause(1, 1, "GET /orders/7", "2042", "2041");
        Session.Shown price = new Session.Shown("body.cents", "VALUE", "1250", "1249", null);
        Session.Example both = new Session.Example(
                2, 2, "GET /orders/8", List.of(noise.first().differences().get(0), price), null, null);
        Session.Cause wrong = new Session.Cause(
                "GET /orders/{n}", List.of("VALUE body.cents", "VALUE body.total"), 1, 2, List.of(both));

        assertThat(FirstCauses.of(List.of(noise, wrong))).hasSize(2);

        Session.Shown missing = new Session.Shown("body.cents", "MISSING", "1250", null, null);
        Session.Example lacking = new Session.Example(
                3, 3, "GET /orders/9", List.of(noise.first().differences().get(0), missing), null, null);
        Session.Cause gone = new Session.Cause(
                "GET /orders/{n}", List.of("MISSING body.cents", "VALUE body.total"), 1, 3, List.of(lacking));
        assertThat(FirstCauses.of(List.of(noise, gone))).hasSize(2);
    }

    @Test
    void reads_causeNothing_andCommonValuesProveNothing() {
        assertThat(FirstCauses.of(List.of(
                        cause(1, 1, "GET /orders/7", "1", "2"),
                        cause(2, 1, "GET /orders/7", "true", "false"),
                        cause(3, 1, "GET /basket", "true", "false"),
                        cause(4, 1, "GET /basket/1", "[masked]", "[masked]"),
                        cause(5, 1, "GET /basket/2", "[masked]", "[masked]"))))
                .hasSize(5);
    }

    @Test
    void rules_areReadStrictly() {
        assertThat(FailRule.parse("different>0.5%")).hasToString("different>0.5%");
        assertThat(FailRule.parse("p99>10%")).hasToString("p99>10%");
        assertThat(FailRule.parse("different>0")).hasToString("different");
        for (String wrong :
                List.of("", "different>", "lost>3", "p99", "p99>10", "p98>10%", "different>-1", "DIFFERENT")) {
            assertThatThrownBy(() -> FailRule.parse(wrong)).as(wrong).hasMessageContaining("(expected: different, ");
        }
    }

    @Test
    void slowerRoute_fails_evenIfTheOthersAreFaster() {
        Session.Route slow = route("GET /slow", Map.of(1000L, 500L), Map.of(1500L, 500L), Session.Overhead.UNKNOWN);
        Session.Route fast = route("GET /fast", Map.of(2000L, 5000L), Map.of(1000L, 5000L), Session.Overhead.UNKNOWN);
        Report report = Report.of(session(slow, fast), null);

        assertThat(FailRule.parse("p50>40%").failure(report)).contains("GET /slow takes longer: +50 %");
        assertThat(FailRule.parse("p50>60%").failure(report)).isNull();
    }

    @Test
    void tailThatIsSurelyLonger_fails() {
        Map<Long, Long> production = new HashMap<>();
        Map<Long, Long> debug = new HashMap<>();
        for (long i = 0; i < 2000; i++) {
            production.put(1000 + i, 1L);
            debug.put(2000 + 2 * i, 1L);
        }
        Report report = Report.of(session(route("GET /slow", production, debug, Session.Overhead.UNKNOWN)), null);

        assertThat(FailRule.parse("p99>40%").failure(report)).contains("GET /slow takes longer: +100 %");
        assertThat(FailRule.parse("p99>140%").failure(report)).isNull();
    }

    @Test
    void slowerRoute_thatMayBeSoByChance_doesntFail() {
        Session.Route few =
                route("GET /few", Map.of(1000L, 6L, 1500L, 5L), Map.of(1000L, 5L, 1500L, 6L), Session.Overhead.UNKNOWN);
        Report report = Report.of(session(few), null);

        assertThat(report.parts().get(0).speeds())
                .hasEntrySatisfying(
                        "GET /few", speed -> assertThat(speed.sentence()).startsWith("median +50 %"));
        assertThat(FailRule.parse("p50>10%").failure(report)).isNull();
    }

    @Test
    void lossesAndUpstreamCalls_fail_ifTheyAreAskedFor() {
        Session whole = session(route("GET /a", Map.of(), Map.of(), Session.Overhead.UNKNOWN));
        Session.Copy copy = whole.copies().get(0);
        Session.Copy lost = new Session.Copy(
                "shop",
                "",
                "debug",
                "",
                "",
                "3 requests were lost",
                false,
                Map.of(),
                copy.routes(),
                List.of(),
                0,
                List.of(),
                0);
        Session.Calls calls = new Session.Calls("debug", 5, 2, 0, List.of());
        Session failed = new Session("", "", List.of(lost), List.of(), List.of(), List.of(calls), List.of());

        for (String rule : List.of("lost", "calls")) {
            assertThat(FailRule.parse(rule).failure(Report.of(whole, null))).isNull();
        }
        assertThat(FailRule.parse("lost").failure(Report.of(failed, null))).contains("3 requests were lost");
        assertThat(FailRule.parse("calls").failure(Report.of(failed, null)))
                .contains("the upstream calls of 2 exchanges differ");
    }

    @Test
    void junit_tellsOfWhatDiffers_butFailsOnlyWhatARuleIsAbout() {
        Report report = Report.of(
                session(
                        new Session.Route(
                                "GET /b", Map.of("DIFFERENT", 2L), Map.of(), Map.of(), Session.Overhead.UNKNOWN),
                        new Session.Route(
                                "GET /c", Map.of("NOT_COMPARED", 1L), Map.of(), Map.of(), Session.Overhead.UNKNOWN)),
                null);

        assertThat(JunitReport.of(report, List.of()))
                .contains(
                        "<system-out>2 differ",
                        "<skipped message=\"none of its exchanges was compared\"/>",
                        "skipped=\"1\"")
                .doesNotContain("<failure");
        assertThat(JunitReport.of(report, List.of(FailRule.parse("different"))))
                .contains("<failure message=\"2 differ\"")
                .doesNotContain("<system-out");
    }

    private static Session.Copy copy(List<Session.Route> routes, List<Session.Cause> causes) {
        return new Session.Copy(
                "shop",
                "127.0.0.1:80",
                "debug",
                "127.0.0.1:81",
                "",
                "faithful",
                true,
                Map.of(),
                routes,
                causes,
                0,
                List.of(),
                0);
    }

    private static Session.Cause cause(
            long exchange, long connection, String request, String production, String debug) {
        Session.Shown shown = new Session.Shown("body.total", "VALUE", production, debug, null);
        String session = exchange == 10 || exchange == 45 ? "0123456789ab" : null;
        Session.Example example = new Session.Example(exchange, connection, request, List.of(shown), null, session);
        return new Session.Cause(
                request.replaceAll("[0-9]+", "{n}"), List.of("VALUE body.total"), 1, exchange, List.of(example));
    }
}

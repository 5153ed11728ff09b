package dev.understudy.it.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.understudy.it.stage.BrowserPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What somebody needs who sees the console for the first time. Some answers of the port are changed on their way. */
abstract class ConsoleNewcomerChecks extends ConsoleChecks {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HEIGHT = "document.querySelector('header').getBoundingClientRect().height";

    @Test
    void exchanges_standAsTheyArrived_alsoIfJudgedLater() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            change(page, "**/v1/exchanges?*", list -> {
                ArrayNode rows = list.withArray("exchanges");
                ObjectNode slow = (ObjectNode) rows.get(0);
                slow.put("at", rows.get(2).path("at").asLong() - 1);
            });
            go(page, "Exchanges");
            page.waitForSelector("a.cells");

            List<String> times = page.locator("a.cells > :first-child").allTextContents();
            assertThat(times).isSortedAccordingTo((one, other) -> other.compareTo(one));
        }
    }

    @Test
    void equalExchange_saysWhyNoReplyIsThere_andUpstreamCallsToo() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().dark())) {
            Page page = chromium.page();
            change(page, "**/v1/upstreams?exchange=*", document -> {
                ArrayNode calls = document.putArray("calls");
                upstreamCall(calls, "2", "2100-01-01T00:00:09Z");
                upstreamCall(calls, "1", "2100-01-01T00:00:01Z");
            });
            change(page, "**/v1/exchanges/*", details -> {
                details.put("kind", "SAME").putNull("production").putNull("copy");
                details.putArray("differences");
            });
            chromium.open(stage.tee().control() + "/#/exchanges?text=health/3");
            page.click("a.cells:has-text('GET /health/3')");
            page.waitForSelector(".waterfall .time.upstream");

            assertThat(page.textContent("article"))
                    .contains("Equal replies are kept only of failures")
                    .contains("Replies to upstream calls stay with the aggregator");
            assertThat(page.locator(".waterfall th").allTextContents())
                    .containsExactly("Production", "Debug", "GET /1 at numbers", "GET /2 at numbers");
            assertSound(chromium);
        }
    }

    @Test
    void figures_explainThemselves() throws Exception {
        calls.join();
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            change(page, "**/v1/upstreams", document -> {
                ObjectNode debug = (ObjectNode) document.at("/upstreams/0/debug");
                debug.put("local", 3);
                debug.put("requests", debug.path("requests").asInt() + 4);
            });
            change(
                    page,
                    "**/v1/divergences",
                    document -> ((ObjectNode) document.at("/copies/0"))
                            .put("sentence", "same answers on 20 of 60, p99 +148 % (p<0.01)"));
            go(page, "Upstreams");
            page.waitForSelector(".cards:has-text('3 answered on the spot, 1 without an answer yet')");
            assertThat(page.textContent(".cards")).contains("about their own connection alone");
            assertSound(chromium);

            go(page, "Divergences");
            page.waitForSelector("text=p99 is the time that 99 of 100 answers stay below");
            assertSound(chromium);
        }
    }

    @Test
    void suspects_usePlainWords_andSayInWhichOrderTheyStand() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            change(page, "**/v1/suspects", document -> {
                ObjectNode alike = ((ObjectNode) document.at("/suspects/0"))
                        .withArray("alike")
                        .addObject();
                alike.put("method", "shop.Tariff#rate");
                alike.put("predicate", "at line 7, condition 2 of 3, went on");
                alike.put("line", 7);
            });
            go(page, "Suspects");
            page.waitForSelector(".suspects ol li:has-text('at line 7, in part 2 of its 3-part condition, went on')");
            assertThat(page.textContent(".suspects"))
                    .contains("strength of evidence 0.", "What decided its way comes first")
                    .doesNotContain("importance");
            assertThat(page.getAttribute(".suspects .evidence", "title")).startsWith("Importance");
            assertSound(chromium);
        }
    }

    @Test
    void back_findsWhatWasOpen() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            go(page, "Suspects");
            page.click("details.source summary");
            page.click("details.labels summary");
            page.waitForSelector("#field-labels-status");
            page.click(".suspects a:has-text('exchange ')");
            page.waitForSelector("article");

            page.goBack();

            page.waitForSelector("details.source[open] :is(.lines, [role=alert])");
            page.waitForSelector("details.labels[open] #field-labels-status");
            page.click("details.source summary");
            page.waitForSelector("details.source:not([open])");
        }
    }

    @Test
    void telephone_showsTheStatus_belowASmallHeader() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            page.setViewportSize(390, 800);
            go(page, "Exchanges");
            page.waitForSelector("a.cells:has-text('≠')");

            assertThat(((Number) page.evaluate(HEIGHT)).intValue()).isLessThan(90);
            assertThat(page.locator("a.cells > :nth-child(3)").first().isVisible())
                    .isTrue();
            go(page, "Control");
            page.waitForSelector("text=Copying is");
            assertSound(chromium);
        }
    }

    /** Whoever is about to press a button would press another one's. */
    @Test
    void methods_stayWhereTheyAre_whateverIsCalledMost() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            change(page, "**/v1/methods?*", document -> {
                ArrayNode methods = document.putArray("methods");
                boolean isFirst = looks.getAndIncrement() == 0;
                method(methods, isFirst ? "shop.A#often" : "shop.B#seldom", 9);
                method(methods, isFirst ? "shop.B#seldom" : "shop.C#more", 8);
                if (!isFirst) {
                    method(methods, "shop.A#often", 7);
                }
                document.putArray("agents").addObject().put("name", "a").put("woven", 3);
            });
            go(page, "Code");
            page.waitForSelector("table.methods th:has-text('shop.C#more')");

            assertThat(page.locator("table.methods tbody th code").allTextContents())
                    .containsExactly("shop.A#often", "shop.B#seldom", "shop.C#more");
            assertSound(chromium);
        }
    }

    private static void method(ArrayNode methods, String name, int calls) {
        methods.addObject()
                .put("agent", "a")
                .put("method", name)
                .put("callsPerSecond", calls)
                .put("sampled", 0)
                .put("meanMicros", 0)
                .put("maxMicros", 0)
                .put("state", "");
    }

    private static void upstreamCall(ArrayNode calls, String id, String at) {
        ObjectNode call = calls.addObject();
        call.put("id", id).put("at", at).put("form", "GET /" + id).put("upstream", "numbers");
        call.put("outcome", "REPLAYED").put("waitMillis", 1.5);
    }

    /** Has the page see another answer than the port gave. */
    private static void change(Page page, String address, Consumer<ObjectNode> change) {
        page.route(address, route -> answer(route, change));
    }

    private static void answer(Route route, Consumer<ObjectNode> change) {
        APIResponse given = route.fetch();
        try {
            ObjectNode document = (ObjectNode) JSON.readTree(given.body());
            change.accept(document);
            route.fulfill(new Route.FulfillOptions().setResponse(given).setBody(document.toString()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}

package dev.understudy.it.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.understudy.it.stage.BrowserPage;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What else somebody may click or press in the views of exchanges, code and upstreams. */
abstract class ConsoleActionChecks extends ConsoleChecks {
    private static final String RULE = ".rules li:has-text('shop.Tariff#price is ";

    @Test
    void code_isDisarmedAndLookedInto_untilThatIsEnded() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            stage.agent().report(0, "");
            go(page, "Code");
            page.fill("input[name=method-text]", "TARIFF");
            page.waitForSelector("text=1 found, of 40 that agents can observe");
            confirm(page, "Disarm");
            page.waitForSelector(RULE + "off')");
            stage.agent().report(0, "");
            confirm(page, "Look inside");
            page.waitForSelector(RULE + "looked into')");
            assertThat(orders().at("/probes/rules/0/stance").asText()).isEqualTo("off");
            assertThat(orders().at("/deepen/patterns/0").asText()).isEqualTo("shop.Tariff#price");
            assertSound(chromium);

            confirm(page, "Look no more");
            page.waitForSelector(RULE + "looked into')", GONE);
            assertThat(orders().at("/deepen/patterns").isMissingNode()).isTrue();
            page.waitForSelector(RULE + "off')");
            confirm(page, "Reset");
            page.waitForSelector(RULE + "off')", GONE);
            assertThat(orders().path("probes").isMissingNode()).isTrue();
        }
    }

    @Test
    void code_takesSnapshotsAndWatches_andRemovesThem() throws Exception {
        stage.agent().report(1_000, "");
        try (BrowserPage chromium = stage.signedIn(stage.chromium().dark())) {
            Page page = chromium.page();
            go(page, "Code");
            page.selectOption("#field-kind", "snapshot");
            page.waitForSelector("#field-message", GONE);
            page.fill("#field-method", "shop.Cart#add");
            page.fill("#field-at", "entry");
            confirm(page, "Add point");
            page.waitForSelector(".rules li:has-text('shop.Cart#add entry')");
            stage.agent().report(1_000, "");
            page.selectOption("#field-kind", "watch");
            page.waitForCondition(() -> page.inputValue("#field-at").equals("writes"));
            page.fill("#field-method", "shop.Cart#total");
            page.fill("#field-when", "value > 100");
            confirm(page, "Add point");
            page.waitForSelector(".rules li:has-text('shop.Cart#total writes when value > 100')");
            JsonNode points = new ObjectMapper()
                    .readTree(stage.control("/v1/orders/points", null).body())
                    .path("points");
            assertThat(points)
                    .filteredOn(point -> point.path("method").asText().startsWith("shop.Cart#"))
                    .extracting(point -> point.path("snapshot").asBoolean())
                    .containsExactly(true, true);

            hit("<b>one");
            page.click(".hits li summary:has-text('1 value on <i>web')");
            page.waitForSelector(".hits dd:has-text('<b>one')");
            page.waitForSelector(".hits pre:has-text('shop.Cart.add')");
            page.click("h2:has-text('Hits') button");
            page.waitForSelector("h2 button[aria-pressed=true]");
            hit("two");
            page.waitForResponse(answer -> answer.url().contains("/v1/hits"), () -> {});
            page.waitForResponse(answer -> answer.url().contains("/v1/hits"), () -> {});
            assertThat(page.locator(".hits:has-text('two')").count()).isZero();
            assertSound(chromium);
            page.click("h2:has-text('Hits') button");
            page.waitForSelector(".hits:has-text('two')");

            for (String point : List.of("shop.Cart#add", "shop.Cart#total")) {
                page.click(".rules li:has-text('" + point + "') button");
                page.click("dialog[open] button.primary");
                page.waitForSelector(".rules li:has-text('" + point + "')", GONE);
            }
        }
    }

    @Test
    void flame_showsOneBoxAlone_andAllAgain() throws Exception {
        stage.agent().sample();
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            go(page, "Code");
            Locator price =
                    page.locator(".flame .box[title^='shop.Tariff.<b>price']").first();
            price.click();
            page.waitForCondition(() -> share(page, price) > 0.95);
            page.click("text=Show all");
            page.waitForCondition(() -> share(page, price) < 0.55);
            page.focus(".flame");
            page.keyboard().press("Enter");
            page.waitForCondition(() -> share(page, price) > 0.95);
        }
    }

    @Test
    void exchanges_areFilteredByTime_pausedAndLookedThroughByKeys() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().dark())) {
            Page page = chromium.page();
            go(page, "Exchanges");
            page.waitForSelector("a.cells");
            page.keyboard().press("j");
            page.keyboard().press("j");
            page.waitForSelector(".row:nth-child(2) a.cells.selected");
            String second = page.getAttribute("a.cells.selected", "href");
            page.keyboard().press("k");
            page.waitForFunction("href => document.querySelector('a.selected').getAttribute('href') !== href", second);
            page.keyboard().press("/");
            page.waitForFunction("document.activeElement.name === 'text'");
            page.keyboard().type("paused/");
            page.waitForSelector("text=No exchange fits.");

            page.click("button:text-is('Pause')");
            stage.get("/paused/1");
            page.waitForSelector("button:has-text(' newer')");
            page.click("button:text-is('Go on')");
            page.waitForSelector("a.cells:has-text('GET /paused/1')");

            page.clock().setFixedTime(System.currentTimeMillis() + 10 * 60_000);
            page.selectOption("select[name=since]", "300");
            page.waitForSelector("text=No exchange fits.");
            assertThat(page.url()).contains("since=300", "text=paused%2F");
            page.selectOption("select[name=since]", "3600");
            page.waitForSelector("a.cells:has-text('GET /paused/1')");

            page.route(
                    "**/v1/exchanges?*",
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setContentType("application/json")
                            .setBody("{\"exchanges\":[],\"next\":1000000,\"newest\":1000000}")),
                    new Page.RouteOptions().setTimes(1));
            page.selectOption("select[name=since]", "");
            page.waitForSelector("text=None of the newest 5 000 fits.");
            page.click("text=Look further back");
            page.waitForSelector("a.cells:has-text('GET /paused/1')");
            assertSound(chromium);
        }
    }

    @Test
    void upstreams_areChosen_andAllFaultsTakenBack() throws Exception {
        calls.join();
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            go(page, "Upstreams");
            page.waitForSelector("table.calls");
            page.selectOption(".filters select[name=upstream]", "numbers");
            page.waitForURL("**/#/upstreams?upstream=numbers");
            page.waitForSelector("table.calls");
            page.click("section.faults summary");
            for (String fault : List.of("error", "reset")) {
                page.selectOption("#field-fault", fault);
                confirm(page, "Inject");
                page.waitForSelector("section.faults li:has-text('numbers-" + fault + "')");
            }
            confirm(page, "Take all back");
            page.waitForSelector("section.faults li", GONE);
            assertThat(stage.twins().read("/v1/faults").path("faults")).isEmpty();
        }
    }

    private static JsonNode orders() throws Exception {
        return new ObjectMapper()
                .readTree(stage.control("/v1/orders", null).body())
                .path("orders");
    }

    private static void hit(String value) throws Exception {
        stage.control(
                "/v1/hits",
                "{\"name\":\"orders\",\"hits\":[{\"point\":\"p\",\"place\":\"shop.Cart#add entry\",\"millis\":"
                        + System.currentTimeMillis() + ",\"thread\":\"<i>web\",\"values\":{\"item\":\"" + value
                        + "\"},\"stack\":[\"shop.Cart.add\"]}]}");
    }

    private static double share(Page page, Locator box) {
        return box.boundingBox().width / page.locator(".flame").boundingBox().width;
    }
}

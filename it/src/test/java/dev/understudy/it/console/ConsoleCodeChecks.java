package dev.understudy.it.console;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.understudy.it.stage.BrowserPage;
import dev.understudy.it.stage.Checkout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/** What somebody finds in the code, and the documents' pictures. */
abstract class ConsoleCodeChecks extends ConsoleChecks {
    @Test
    void code_findsMethods_andPlacesPointsWhoseExpressionsAreChecked() throws Exception {
        stage.agent().report(0, "");
        try (BrowserPage chromium = stage.signedIn(stage.chromium().dark())) {
            Page page = chromium.page();
            go(page, "Code");
            page.waitForSelector(".methods tbody tr:nth-child(2)");
            assertThat(page.textContent(".methods")).contains("shop.Shop#<b>serve", "armed");
            page.fill("input[name=method-text]", "TARIFF");
            page.waitForSelector("text=1 found, of 40 that agents can observe");
            confirm(page, "Arm");
            page.waitForSelector(".rules li:has-text('shop.Tariff#price is armed')");

            page.click("text=Point here");
            page.waitForCondition(() -> page.inputValue("input[name=method]").equals("shop.Tariff#price"));
            page.fill("input[name=message]", "price of {sku}");
            page.fill("input[name=when]", "size > 3");
            stage.agent().report(0, "");
            confirm(page, "Add point");
            stage.agent().report(1_000, "points: p1: when: size is unknown at <i>exit");
            page.waitForSelector("#field-when-hint[role=alert]");
            assertThat(page.textContent("#field-when-hint")).isEqualTo("when: size is unknown at <i>exit");
            assertThat(stage.control("/v1/orders/points", null).body()).isEqualTo("{\"points\":[]}");

            stage.agent().report(1_000, "");
            page.fill("input[name=when]", "");
            confirm(page, "Add point");
            page.waitForSelector(".rules li:has-text('p2')");
            stage.control("/v1/hits", "{\"name\":\"orders\",\"hits\":[{\"point\":\"p2\",\"text\":\"price of <b>7\"}]}");
            page.waitForSelector(".hits li:has-text('price of <b>7')");

            assertSound(chromium);
            chromium.assertStaysAt(stage.tee().control());
        }
    }

    @Test
    void code_drawsFlameGraphs_ofAnyRouteAndSpan() throws Exception {
        stage.agent().report(0, "");
        stage.agent().sample();
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            go(page, "Code");
            Locator price = page.locator(".flame .box[title^='shop.Tariff.<b>price: 1 stack (']");
            price.first().waitFor();
            choose(page, "flame-route", "GET /health/sampled (");
            page.waitForSelector(".times.sides:has-text('Production'):has-text('1 exchange')");
            page.waitForCondition(() -> page.locator(".flame .box").count() == 3);
            assertThat(width(price) / width(page.locator(".flame"))).isBetween(0.45, 0.55);
            assertThat(page.textContent(".hottest")).contains("50 %", "shop.Tariff.<b>price");

            price.click();
            page.waitForCondition(() -> width(price) > 0.95 * width(page.locator(".flame")));
            assertThat(page.textContent(".picked-box")).contains("shop.Tariff.<b>price: 1 stack (50 %)");
            page.focus(".flame");
            page.keyboard().press("Escape");
            page.keyboard().press("ArrowUp");
            page.waitForSelector(".picked-box:has-text('shop.Shop.serve: 2 stacks (100 %)')");
            chromium.assertAccessible();

            page.selectOption("select[name=flame-span]", "60");
            price.first().waitFor();
            page.selectOption("select[name=flame-span]", "own");
            page.fill("input[name=flame-from]", "2020-01-01T00:00");
            page.fill("input[name=flame-to]", "2020-01-02T00:00");
            page.waitForSelector("text=No stacks.");

            page.selectOption("select[name=flame-span]", "");
            page.selectOption("select[name=flame-of]", "allocation");
            page.waitForSelector(".flame .box[title^='byte[]: 4.0 KiB (']");
            page.locator(".flame .box[title^='shop.Shop.serve']").first().click();
            page.click("text=Find method");
            page.waitForCondition(
                    () -> page.inputValue("input[name=method-text]").equals("shop.Shop#serve"));
            assertSound(chromium);
            chromium.assertStaysAt(stage.tee().control());
        }
    }

    @Test
    void executions_areCompared_ofAnExchangeThatFails() throws Exception {
        stage.orderParts();
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            chromium.open(stage.tee().control() + "/#/exchanges?text=parts/1");
            page.click("a.cells:has-text('GET /parts/1')");
            page.waitForSelector("h2:has-text('Compare with a good one')");
            assertThat(page.textContent("h1.request + p .fails")).isEqualTo("failing");
            assertThat(page.locator(".comparisons .card").count()).isZero();

            confirm(page, "Compare executions");
            page.waitForSelector(".comparisons [role=status]:has-text('Running')");
            stage.agent().compare();

            page.waitForSelector(".partings li");
            assertThat(page.textContent(".comparisons"))
                    .contains("GET /parts/1, status 500; again 500, 500")
                    .contains("GET /parts/2, status 200; again 200")
                    .contains("8 calls in 2 classes were compared");
            assertThat(page.textContent(".partings li"))
                    .contains("shop.Tariff#<b>price", "failingreturned Nothing{<i>0}", "goodreturned Price{n=1}")
                    .contains("called byshop.Shop#serve");
            assertSound(chromium);

            confirm(page, "Reduce, then compare");
            page.waitForSelector(".comparisons [role=status]:has-text('Running')");
            go(page, "Suspects");
            page.waitForSelector("h2:has-text('Comparison 2')");
            confirm(page, "Compare executions");
            assertThat(page.waitForSelector(".comparisons [role=alert]").textContent())
                    .contains("another comparison is running");
            stage.agent().compare();
            page.waitForSelector(".partings li");
            assertThat(page.textContent(".comparisons .card")).contains("The smallest request that fails: ");
            assertThat(page.textContent(".comparisons .card pre")).startsWith("GET /parts/1 HTTP/1.1");
            page.click("summary:has-text('1 before it')");
            page.waitForSelector("details[open] h2:has-text('Comparison 1')");
            chromium.assertAccessible();
            chromium.assertFitsAllWidths();
        }
    }

    private static double width(Locator shown) {
        return shown.boundingBox().width;
    }

    /** Writes the documents' pictures; run by hand: {@code -Dunderstudy.screenshots=docs}. */
    @Test
    @EnabledIfSystemProperty(named = "understudy.screenshots", matches = ".+")
    void screenshots_areTaken() throws Exception {
        Path docs = Checkout.root().resolve(System.getProperty("understudy.screenshots"));
        shootOverview(stage.chromium().dark(), docs.resolve("console-overview-dark.png"));
        shootOverview(stage.chromium().light(), docs.resolve("console-overview.png"));
        stage.agent().trace("/quotes/5", "shop.Shop.serve");
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            page.setViewportSize(1100, 900);
            chromium.open(stage.tee().control() + "/#/exchanges?text=quotes/5");
            page.click("a.cells:has-text('GET /quotes/5')");
            page.waitForSelector(".waterfall .time.call");
            page.locator("h2:has-text('Times')").scrollIntoViewIfNeeded();
            shoot(page, docs.resolve("console-exchange.png"));
            stage.agent().report(0, "");
            stage.agent().sample();
            go(page, "Code");
            page.locator("h2:has-text('Flame graph')").scrollIntoViewIfNeeded();
            choose(page, "flame-route", "GET /health/sampled (");
            page.waitForSelector(".times.sides");
            shoot(page, docs.resolve("console-flame.png"));
        }
    }

    private static void shootOverview(BrowserPage chromium, Path file) throws Exception {
        try (BrowserPage shown = stage.signedIn(chromium)) {
            Page page = shown.page();
            page.setViewportSize(1100, 700);
            page.waitForSelector(".picture");
            for (int n = 0; n < 40; n++) {
                stage.get("/health/" + n);
            }
            page.waitForSelector(".spark");
            shoot(page, file);
        }
    }

    private static void shoot(Page page, Path file) {
        assertThat(page.screenshot(new Page.ScreenshotOptions().setPath(file)))
                .as(file + " in bytes")
                .hasSizeLessThan(120 * 1024);
    }
}

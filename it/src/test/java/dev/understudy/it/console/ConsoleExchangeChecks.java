package dev.understudy.it.console;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.understudy.it.stage.BrowserPage;
import dev.understudy.it.stage.ConsoleStage;
import dev.understudy.it.stage.TeeStage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What somebody sees of exchanges and upstream calls. None changes what another counts. */
abstract class ConsoleExchangeChecks extends ConsoleChecks {
    private static final String SCROLLED = "top => new Promise(done => {"
            + " document.querySelector('.rows').scrollTop = top;"
            + " requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))); })";

    @Test
    void views_showTheSession_ofThisOriginAlone() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            page.waitForSelector(".picture");
            page.waitForSelector(".stack[aria-label*='40 different']");
            assertThat(page.textContent("main")).contains("Nothing is lost.", "server", "127.0.0.1");
            assertSound(chromium);

            go(page, "Exchanges");
            page.waitForSelector("a.cells .verdict.different");
            assertThat(page.locator("a.cells").count()).isGreaterThan(10);
            assertSound(chromium);

            go(page, "Divergences");
            page.waitForSelector(".causes h3");
            assertThat(page.textContent(".causes")).contains("GET /orders/{n}", "body.note", "20 exchanges differ");
            assertThat(causes(page)).as("first causes first, as in the report").isEqualTo(printedCauses());
            assertSound(chromium);

            go(page, "Suspects");
            page.waitForSelector(".suspects h3");
            assertThat(page.textContent(".suspects")).contains("shop.Tariff#price", "20 of 20 failing", "exchange ");
            assertThat(page.textContent(".suspects details:has-text('nearly every exchange')"))
                    .contains("shop.Shop#serve");
            assertSound(chromium);
            chromium.assertStaysAt(stage.tee().control());
        }
    }

    @Test
    void suspects_showTheirSource_asTextWithTheLinesMarked() throws Exception {
        Path source = folder.resolve("shop/Tariff.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, """
                package shop;
                class Tariff {
                  int price() {
                    int total = 5; // <img src=x onerror=document.title='broken'> \u202e
                    return total;
                  }
                }
                """);
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            go(page, "Suspects");
            page.waitForSelector(".suspects h3");
            assertThat(page.textContent(".suspects")).contains("at line 4 made total 4 to 7");
            page.click("details.source summary");
            page.waitForSelector(".lines li");
            assertThat(page.locator(".lines li").allTextContents())
                    .startsWith("package shop;")
                    .element(3)
                    .asString()
                    .startsWith("    int total = 5; // <img src=x")
                    .contains("\\u202e");
            assertThat(page.locator(".lines mark").allTextContents())
                    .singleElement()
                    .asString()
                    .contains("int total = 5;");
            assertSound(chromium);

            Files.delete(source);
            page.reload();
            page.click("details.source summary");
            page.waitForSelector(".source [role=alert]:has-text('no source of shop.Tariff')");
        }
    }

    @Test
    void filters_areTheAddress_andOneExchangeHasItAll() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().dark())) {
            Page page = chromium.page();
            go(page, "Exchanges");
            page.waitForSelector("a.cells");
            page.check("input[name=DIFFERENT]");
            awaitRows(page, 2 * ORDERS, "different");
            page.uncheck("input[name=DIFFERENT]");
            page.check("input[name=failing]");
            awaitRows(page, 2 * ORDERS, "failing, ");
            assertThat(page.url()).contains("failing=true");
            page.uncheck("input[name=failing]");
            page.check("input[name=DIFFERENT]");
            page.fill("input[name=route]", "GET /quotes/{n}");
            awaitRows(page, ORDERS, "/quotes/");
            page.fill("input[name=route]", "");
            page.selectOption("select[name=status]", "5xx");
            awaitRows(page, ORDERS, "200 ≠ 500");
            page.selectOption("select[name=status]", "");
            page.fill("input[name=text]", "orders/7");
            awaitRows(page, 1, "GET /orders/7");
            assertThat(page.url()).contains("kind=DIFFERENT", "text=orders%2F7");
            page.reload();
            awaitRows(page, 1, "GET /orders/7");

            page.click("a.cells");
            page.waitForSelector(".replies");
            page.waitForSelector(".waterfall");
            assertThat(page.textContent("h1")).isEqualTo("GET /orders/7");
            assertThat(page.textContent(".facts")).contains("by the rule: the replies differ");
            assertThat(page.getAttribute(".facts a", "href")).matches(ConsoleStage.TRACES + "[0-9a-f]{32}");
            assertThat(page.textContent(".replies")).contains("as ordered", "onerror=document.title");
            assertThat(page.locator(".replies ins").count()).isPositive();
            assertThat(page.textContent(".differences")).contains("body.note", "body.total", "17", "18");
            assertThat(page.textContent("article"))
                    .contains("Fidelity", "faithful", "curl -g", "/orders/7", "ms")
                    .contains("\u2407");
            page.context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
            page.click("text=Copy as curl");
            page.waitForSelector("text=Copied");
            assertThat((String) page.evaluate("navigator.clipboard.readText()")).startsWith("curl -g");
            assertSound(chromium);
        }
    }

    @Test
    void exchangeWhoseFirstRequestsAreLost_isShownByTheNext() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().dark())) {
            Page page = chromium.page();
            Page.RouteOptions once = new Page.RouteOptions().setTimes(1);
            page.route("**/v1/exchanges/1", Route::abort, once);
            page.route("**/v1/exchanges/1/calls", Route::abort, once);
            chromium.open(stage.tee().control() + "/#/exchanges/1");
            page.waitForSelector("[role=alert]:has-text('does not answer')");

            page.waitForSelector(".waterfall");

            assertThat(page.textContent("h1")).isEqualTo("GET /health/0");
            assertThat(page.locator("[role=alert]").count()).isZero();
        }
    }

    @Test
    void keys_moveAndPause_andTheThemeIsKept() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            page.waitForSelector(".picture");
            page.keyboard().press("2");
            page.waitForSelector("a.cells");
            page.keyboard().press("p");
            page.waitForSelector("button[aria-pressed=true]");
            stage.get("/late/1");
            page.waitForSelector("text=1 newer");
            assertThat(page.locator("a.cells:has-text('GET /late/1')").count()).isZero();
            page.click("text=1 newer");
            page.waitForSelector("a.cells:has-text('GET /late/1')");
            page.keyboard().press("j");
            page.waitForSelector("a.cells.selected");
            page.keyboard().press("Enter");
            page.waitForSelector("article");
            page.keyboard().press("t");
            page.keyboard().press("t");
            page.waitForSelector("html[data-theme=dark]");
            assertThat(page.evaluate("getComputedStyle(document.body).backgroundColor"))
                    .isEqualTo("rgb(18, 22, 28)");
            page.reload();
            page.waitForSelector("html[data-theme=dark]");
        }
    }

    @Test
    void upstreams_showMisses_withWhatIsNearest() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            calls.join();
            go(page, "Upstreams");
            page.waitForSelector(".miss");
            assertThat(page.textContent(".cards")).contains("numbers (http)", "1 of 2 calls missed", "1 replayed");
            assertThat(page.textContent(".miss")).contains("GET /stock/2%3Cscript%3E", "asked", "recorded");
            assertThat(page.locator(".near del").first().textContent()).contains("script");
            assertThat(page.textContent("table.calls")).contains("replayed", "missed", "it was the oldest unused");
            page.selectOption("select[name=outcome]", "REPLAYED");
            page.waitForCondition(() -> page.locator("table.calls tbody tr").count() == 1);
            assertThat(page.url()).endsWith("#/upstreams?outcome=REPLAYED");
            page.keyboard().press("Escape");
            assertSound(chromium);
            chromium.assertStaysAt(stage.tee().control());
        }
    }

    @Test
    void bytes_areShownToOperators_andImagesAsSuch() throws Exception {
        TeeStage tee = stage.openTee(Files.createDirectory(folder.resolve("pictures")), "control.anonymous=operate");
        stage.get(tee, "/pictures/1");
        tee.awaitExchanges(1);
        try (BrowserPage chromium = stage.chromium().dark()) {
            Page page = chromium.page();
            chromium.open(tee.control() + "/#/exchanges");
            page.click("a.cells:has-text('GET /pictures/1')");
            page.waitForSelector(".waterfall");
            assertThat(page.textContent(".replies")).contains("secrets can't be found");
            page.click("text=Show the bytes");
            page.waitForFunction("() => [...document.images].filter(image => image.naturalWidth === 24).length === 2");
            page.locator(".folded button").first().click();
            page.waitForSelector(".replies:has-text('000000  89 50 4e 47 0d 0a 1a 0a')");
            assertThat(page.textContent(".replies")).contains("·PNG");
            assertThat(page.locator(".replies ins").count()).isPositive();
            assertSound(chromium);
            chromium.assertStaysAt(tee.control());
        }
    }

    @Test
    void list_thatIsScrolledFast_hasAllItsRows() throws Exception {
        TeeStage tee = stage.openTee(Files.createDirectory(folder.resolve("long")), "control.anonymous=read");
        for (int n = 0; n < 140; n++) {
            stage.get(tee, "/health/" + n);
        }
        tee.awaitExchanges(140);
        try (BrowserPage chromium = stage.chromium().light()) {
            Page page = chromium.page();
            chromium.open(tee.control() + "/#/exchanges");
            page.waitForSelector("text=100 shown");
            for (int top : List.of(700, 1400, 2100, 2800)) {
                page.evaluate(SCROLLED, top);
            }
            page.waitForSelector("text=140 shown");
            for (int top : List.of(3500, 4200, 100_000)) {
                page.evaluate(SCROLLED, top);
            }
            page.waitForSelector("a.cells:has-text('GET /health/0')");
            assertThat(page.locator(".rows .row").count())
                    .as("what can be seen, and some above")
                    .isGreaterThan(20);

            page.evaluate(SCROLLED, 0);
            page.keyboard().press("p");
            for (int n = 140; n < 270; n++) {
                stage.get(tee, "/health/" + n);
            }
            page.waitForSelector("button:has-text('130 newer')");
            page.keyboard().press("p");
            page.waitForSelector("text=100 shown"); // more came than are fetched at once: it begins anew
            page.waitForSelector("a.cells:has-text('GET /health/269')");
            page.evaluate(SCROLLED, 100_000);
            page.waitForSelector("text=270 shown");
            page.evaluate(SCROLLED, 34 * 135);
            page.waitForSelector("a.cells:has-text('GET /health/134')");
        }
    }

    @Test
    void runAgain_asksOnce_andShowsTheNewReplyBesideTheRecordedOne() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            chromium.open(stage.tee().control() + "/#/exchanges?text=orders/3");
            page.click("a.cells:has-text('GET /orders/3')");
            page.waitForSelector(".run-again button:enabled");
            assertThat(page.textContent(".sent")).contains("User-Agent: Java-http-client");
            assertThat(page.getAttribute("a:has-text('← exchanges')", "href")).contains("text=orders");
            int served = stage.productionServed();

            confirm(page, "Run again");
            page.waitForSelector(".run-again .verdict.different");

            assertThat(page.textContent(".run-again .replies"))
                    .contains("Debug, run again", "as ordered", "onerror=document.title");
            assertThat(page.textContent(".run-again .differences")).contains("body.total", "17", "18");
            assertThat(stage.productionServed())
                    .as("production gets nothing of it")
                    .isEqualTo(served);
            assertSound(chromium);
            chromium.assertStaysAt(stage.tee().control());
        }
    }

    @Test
    void waterfall_showsTheCallsThatTheAgentSampled() throws Exception {
        stage.agent().trace("/quotes/3", "shop.Shop.<b>serve");
        try (BrowserPage chromium = stage.signedIn(stage.chromium().dark())) {
            Page page = chromium.page();
            chromium.open(stage.tee().control() + "/#/exchanges?text=quotes/3");
            page.click("a.cells:has-text('GET /quotes/3')");
            page.waitForSelector(".waterfall .time.call.thrown");

            assertThat(page.locator(".waterfall th").allTextContents())
                    .containsExactly("Production", "Debug", "shop.Shop.<b>serve", "shop.Tariff.price");
            assertThat(page.textContent(".waterfall")).contains("threw shop.NoTariff");
            assertSound(chromium);
        }
    }
}

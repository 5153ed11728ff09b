package dev.understudy.it;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.WaitForSelectorState;
import dev.understudy.it.stage.BrowserPage;
import dev.understudy.it.stage.Checkout;
import dev.understudy.it.stage.ConsoleStage;
import dev.understudy.it.stage.NeedsPrograms;
import dev.understudy.it.stage.TeeStage;
import dev.understudy.it.stage.Understudy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The console in a real browser, one class since all checks share a browser and a session: what somebody sees who
 * looks for a defect with it alone. None may change what another counts; the one that kills the lane process is last.
 */
@Tag("any-jdk")
@NeedsPrograms("chromium")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsoleIT {
    private static final int ORDERS = ConsoleStage.ORDERS;

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static ConsoleStage stage;

    private static CompletableFuture<?> calls = CompletableFuture.completedFuture(null);

    @BeforeAll
    static void open() throws Exception {
        stage = ConsoleStage.open(folder);
        calls = stage.call("/stock/1,/stock/2", "/stock/1,/stock/2%3Cscript%3E");
        stage.order();
        stage.observe();
    }

    @AfterAll
    static void close() throws Exception {
        if (stage != null) {
            stage.close();
        }
    }

    @Test
    void linkOfTheCommand_signsIn_onceOnly() throws Exception {
        try (BrowserPage chromium = stage.chromium().light();
                BrowserPage other = stage.chromium().light()) {
            String link = link();
            chromium.page().navigate(link);
            assertThat(chromium.page().waitForSelector("nav, [role=alert]").textContent())
                    .contains("Exchanges");
            assertThat(chromium.page().url()).as("no code in the address").doesNotContain("code");
            assertThat(chromium.page().context().cookies()).singleElement().satisfies(cookie -> {
                assertThat(cookie.httpOnly).isTrue();
                assertThat(cookie.value).doesNotContain(ConsoleStage.TOKEN);
            });
            chromium.page().reload();
            chromium.page().waitForSelector("nav");

            other.page().navigate(link);
            assertThat(other.page().waitForSelector("[role=alert]").textContent())
                    .contains("used already");
            other.page().fill("#token", "wrong");
            other.page().click("button[type=submit]");
            other.page()
                    .waitForCondition(
                            () -> other.page().textContent("[role=alert]").contains("no token"));
            other.page().fill("#token", ConsoleStage.TOKEN);
            other.page().click("button[type=submit]");
            other.page().waitForSelector("nav");
            other.page().click("text=Sign out");
            other.page().waitForSelector("#token");
            other.assertAccessible();
            assertThat(other.page().context().cookies()).isEmpty();
        }
    }

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
            assertSound(chromium);
            chromium.assertStaysAt(stage.tee().control());
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
            assertThat(page.textContent("h1")).isEqualTo("GET /orders/7");
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
    void keys_moveAndPause_andTheThemeIsKept() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            page.waitForSelector(".picture");
            page.keyboard().press("2");
            page.waitForSelector("a.cells");
            page.keyboard().press("p");
            page.waitForSelector("button[aria-pressed=true]");
            int shown = page.locator("a.cells").count();
            stage.get("/late/1");
            page.waitForSelector("text=1 newer");
            assertThat(page.locator("a.cells").count()).isEqualTo(shown);
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
    @Order(Integer.MAX_VALUE)
    void console_goesOn_whenTheLaneProcessWasKilled() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            page.waitForSelector(".live:not(.lost)");
            go(page, "Exchanges");
            stage.get("/orders/1");
            page.waitForSelector("a.cells:has-text('GET /orders/1')");

            ProcessHandle lanes = stage.tee()
                    .sidecar()
                    .process()
                    .descendants()
                    .filter(process -> process.info().commandLine().orElse("").contains(" lanes"))
                    .findFirst()
                    .orElseThrow();
            assertThat(lanes.destroyForcibly()).isTrue();
            page.waitForSelector(".live.lost");
            page.waitForSelector(".live:not(.lost)");
            stage.get("/orders/2");
            page.waitForSelector("a.cells:has-text('GET /orders/2')");
            assertThat(page.locator("a.cells").count())
                    .as("of the new process alone")
                    .isEqualTo(1);
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
    void reader_seesAll_andChangesNothing_alsoWithoutAnAggregator() throws Exception {
        Path alone = Files.createDirectory(folder.resolve("alone"));
        TeeStage tee = stage.openTee(alone, "control.anonymous=read");
        try (BrowserPage chromium = stage.chromium().dark()) {
            Page page = chromium.page();
            page.navigate(tee.control() + "/#/upstreams");
            page.waitForSelector("text=No aggregator");
            assertThat(page.textContent("main")).contains("understudy aggregator", "aggregator.url");
            assertSound(chromium);

            go(page, "Control");
            page.waitForSelector("text=The tee is");
            page.waitForSelector("button:has-text('Take the patch back')");
            assertThat(page.textContent(".because")).contains("needs the role operate or admin", "has read");
            assertThat(page.locator("main button:enabled").count()).isZero();
            assertThat(page.locator("main button:disabled[title*='needs the role']")
                            .count())
                    .isGreaterThan(4);
            assertSound(chromium);
        }
    }

    @Test
    void control_asksOnce_andSaysWhoDidWhat() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            go(page, "Control");
            page.waitForSelector("text=The tee is on");
            page.click("main button:has-text('Pause')");
            page.waitForSelector("dialog[open]");
            assertSound(chromium);
            page.keyboard().press("2");
            page.keyboard().press("Escape");
            page.waitForSelector("dialog", new Page.WaitForSelectorOptions().setState(WaitForSelectorState.DETACHED));
            assertThat(mode()).as("asked, and not confirmed").isEqualTo("on");

            confirm(page, "Pause");
            page.waitForSelector("text=The tee is paused");
            assertThat(mode()).isEqualTo("paused");
            confirm(page, "On");
            page.waitForSelector("text=The tee is on");
            page.waitForSelector(".timeline li:has-text('{\"mode\":\"on\"}')");
            assertThat(page.locator(".timeline li").first().textContent())
                    .contains("(admin)", "PUT /v1/listeners/server/tee", "{\"mode\":\"on\"}");

            page.click("text=Sampling");
            page.fill("input[name=connections]", "<b>200%");
            confirm(page, "Sample");
            page.waitForSelector("#field-connections-hint[role=alert]");
            assertThat(page.textContent("#field-connections-hint")).contains("<b>200%", "0% to 100%");
            confirm(page, "Record");
            page.waitForSelector("text=record.directory");
            page.waitForSelector(".timeline li.bad:has-text('refused with status 409')");
            chromium.assertAccessible();
            chromium.assertFitsAllWidths();

            go(page, "Overview");
            page.waitForSelector(".timeline li:has-text('the tee is paused')");
            assertThat(page.textContent(".timeline")).contains("the first of server", "All divergences");
            chromium.assertStaysAt(stage.tee().control());
        }
    }

    @Test
    void code_findsMethods_andPlacesPointsWhoseExpressionsAreChecked() throws Exception {
        stage.report(0, "");
        try (BrowserPage chromium = stage.signedIn(stage.chromium().dark())) {
            Page page = chromium.page();
            go(page, "Code");
            page.waitForSelector(".methods tbody tr:nth-child(2)");
            assertThat(page.textContent(".methods")).contains("shop.Shop#<b>serve", "armed");
            page.fill("input[name=method-text]", "TARIFF");
            page.waitForSelector("text=1 found, of 40 that are woven");
            confirm(page, "Arm");
            page.waitForSelector(".rules li:has-text('shop.Tariff#price is armed')");

            page.click("text=Point here");
            page.waitForCondition(() -> page.inputValue("input[name=method]").equals("shop.Tariff#price"));
            page.fill("input[name=message]", "price of {sku}");
            page.fill("input[name=when]", "size > 3");
            stage.report(0, "");
            confirm(page, "Add point");
            stage.report(1_000, "points: p1: when: size is unknown at <i>exit");
            page.waitForSelector("#field-when-hint[role=alert]");
            assertThat(page.textContent("#field-when-hint")).isEqualTo("when: size is unknown at <i>exit");
            assertThat(stage.control("/v1/orders/points", null).body()).isEqualTo("{\"points\":[]}");

            stage.report(1_000, "");
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
        stage.report(0, "");
        stage.sample();
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            go(page, "Code");
            Locator price = page.locator(".flame .box[title^='shop.Tariff.<b>price: 1 stack (']");
            price.first().waitFor();
            choose(page, "flame-route", "GET /health/sampled (");
            page.waitForSelector(".times.sides:has-text('Production'):has-text('1 exchanges')");
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

    private static void choose(Page page, String name, String label) {
        Locator option = page.locator("select[name=" + name + "] option", new Page.LocatorOptions().setHasText(label));
        page.selectOption("select[name=" + name + "]", option.first().getAttribute("value"));
    }

    private static double width(Locator shown) {
        return shown.boundingBox().width;
    }

    @Test
    void breakpoints_dangersAreSeenLive() throws Exception {
        TeeStage tee = stage.openTee(
                Files.createDirectory(folder.resolve("stops")), "control.anonymous=read", "window.reply-timeout=40s");
        try (BrowserPage chromium = stage.chromium().light()) {
            Page page = chromium.page();
            page.navigate(tee.control() + "/");
            page.waitForSelector("text=0 requests wait for its answer");
            assertThat(page.textContent("main")).contains("one that stands still for 40.00 s is not compared");
            stage.get(tee, "/stops/1");
            page.waitForSelector("text=1 request waits for its answer");
            page.waitForSelector(".problem:has-text('The oldest waits for')");
            assertSound(chromium);
            stage.goOn();
            page.waitForSelector("text=0 requests wait for its answer");
        }
    }

    @Test
    void bytes_areShownToOperators_andImagesAsSuch() throws Exception {
        TeeStage tee = stage.openTee(Files.createDirectory(folder.resolve("pictures")), "control.anonymous=operate");
        stage.get(tee, "/pictures/1");
        try (BrowserPage chromium = stage.chromium().dark()) {
            Page page = chromium.page();
            page.navigate(tee.control() + "/#/exchanges");
            page.click("a.cells:has-text('GET /pictures/1')");
            page.waitForSelector(".waterfall");
            assertThat(page.textContent(".replies")).contains("secrets can't be found");
            page.click("text=Show the bytes");
            page.waitForFunction("() => [...document.images].filter(image => image.naturalWidth === 24).length === 2");
            assertThat(page.textContent(".replies")).contains("000000  89 50 4e 47 0d 0a 1a 0a", "·PNG");
            assertThat(page.locator(".replies ins").count()).isPositive();
            assertSound(chromium);
            chromium.assertStaysAt(tee.control());
        }
    }

    @Test
    void page_isSmall_withAllItsViews() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            page.waitForSelector(".picture");
            Object bytes = page.evaluate("performance.getEntries()"
                    + ".filter(entry => entry.entryType === 'navigation' || entry.name.includes('/console/'))"
                    + ".filter(entry => !entry.name.includes('/v1/'))"
                    + ".reduce((sum, entry) => sum + (entry.encodedBodySize ?? 0), 0)");
            assertThat(((Number) bytes).intValue()).isBetween(100_000, 300 * 1024);
        }
    }

    private static void confirm(Page page, String action) {
        page.click("main .action > button:has-text('" + action + "')");
        page.click("dialog[open] button.primary");
    }

    private static String mode() throws Exception {
        return new ObjectMapper()
                .readTree(stage.control("/v1/listeners/server/tee", null).body())
                .path("mode")
                .asText();
    }

    @Test
    void consoleAndCommands_showTheSame() throws Exception {
        String status = printed(0, "status");
        String suspects = printed(1, "suspects");
        calls.join();
        String matches = Understudy.run(
                folder, 0, "match", "list", "--url", stage.twins().control());
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            String verdicts = page.waitForSelector(".stack").getAttribute("aria-label");
            assertThat(verdicts).as(status).contains("40 different");
            for (String verdict : verdicts.split(", ", -1)) {
                String number = verdict.substring(0, verdict.indexOf(' '));
                String kind = verdict.substring(number.length() + 1).toUpperCase(Locale.ROOT);
                assertThat(status).containsPattern("\\b" + number + " " + kind.replace(' ', '_') + "\\b");
            }
            go(page, "Divergences");
            page.waitForSelector(".causes h3");
            assertThat(causes(page)).as("first causes first, as in the report").isEqualTo(printedCauses());
            go(page, "Suspects");
            page.waitForSelector(".suspects h3");
            assertThat(page.locator(".suspects > li").allTextContents())
                    .as(suspects)
                    .singleElement()
                    .satisfies(shown -> assertThat(suspects)
                            .contains(
                                    "#1 failing: shop.Tariff#price was called",
                                    found("importance (0\\.\\d\\d)", shown),
                                    "held in " + found("It held in (\\d+ of \\d+ failing)", shown),
                                    found("exchange (\\d+)", shown)));
            go(page, "Upstreams");
            page.waitForSelector("table.calls");
            List<String> shown =
                    page.locator("table.calls tbody tr td:nth-child(-n+2)").allTextContents();
            List<String> printed = matches.lines()
                    .flatMap(line -> Stream.of(line.split(" +", -1)).limit(2))
                    .map(cell -> cell.toLowerCase(Locale.ROOT))
                    .toList();
            assertThat(shown).hasSize(4).isEqualTo(printed);
        }
    }

    /** By a command, of the same session. */
    private static String printed(int code, String command) throws Exception {
        return Understudy.run(folder, code, command, "--url", stage.tee().control(), "--token", ConsoleStage.TOKEN);
    }

    private static String found(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern + " in " + text).isTrue();
        return matcher.group(1);
    }

    /** Writes the documents' pictures; run by hand: {@code -Dunderstudy.screenshots=docs}. */
    @Test
    @EnabledIfSystemProperty(named = "understudy.screenshots", matches = ".+")
    void screenshots_areTaken() throws Exception {
        Path docs = Checkout.root().resolve(System.getProperty("understudy.screenshots"));
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            page.setViewportSize(1100, 700);
            page.waitForSelector(".picture");
            for (int n = 0; n < 40; n++) {
                stage.get("/health/" + n);
            }
            page.waitForTimeout(1_000);
            shoot(page, docs.resolve("console-overview.png"));
            go(page, "Exchanges");
            page.waitForSelector("a.cells");
            page.check("input[name=DIFFERENT]");
            awaitRows(page, 2 * ORDERS, "different");
            page.click("a.cells:has-text('GET /orders/')");
            page.waitForSelector(".replies");
            shoot(page, docs.resolve("console-exchange.png"));
            stage.report(0, "");
            stage.sample();
            go(page, "Code");
            page.locator("h2:has-text('Flame graph')").scrollIntoViewIfNeeded();
            choose(page, "flame-route", "GET /health/sampled (");
            page.waitForSelector(".times.sides");
            shoot(page, docs.resolve("console-flame.png"));
        }
    }

    private static void shoot(Page page, Path file) {
        assertThat(page.screenshot(new Page.ScreenshotOptions().setPath(file)))
                .as(file + " in bytes")
                .hasSizeLessThan(120 * 1024);
    }

    private static void assertSound(BrowserPage chromium) {
        assertThat(chromium.page().title()).isEqualTo("Understudy console");
        assertThat(chromium.complaints()).isEmpty();
        chromium.assertAccessible();
        chromium.assertFitsAllWidths();
    }

    private static String link() throws Exception {
        String printed = Understudy.run(
                folder, 0, "console", "--no-open", "--url", stage.tee().control(), "--token", ConsoleStage.TOKEN);
        assertThat(printed.strip()).matches(Pattern.quote(stage.tee().control()) + "/#code=[\\w-]{32}");
        return printed.strip();
    }

    private static void go(Page page, String view) {
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(view).setExact(true))
                .click();
    }

    private static void awaitRows(Page page, int count, String text) {
        page.waitForSelector("text=" + count + " shown");
        Locator first = page.locator("a.cells").first();
        first.waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.VISIBLE));
        assertThat(first.textContent()).contains(text);
    }

    private static List<String> causes(Page page) {
        return page.locator(".card > .causes > li > h3").allTextContents();
    }

    /** By the command, of the same session. */
    private static List<String> printedCauses() throws Exception {
        Path json = folder.resolve("report.json");
        Understudy.run(
                folder,
                1,
                "report",
                "--url",
                stage.tee().control(),
                "--token",
                ConsoleStage.TOKEN,
                "--json",
                json.toString());
        List<String> routes = new ArrayList<>();
        new ObjectMapper()
                .readTree(json.toFile())
                .at("/copies/0/firstCauses")
                .forEach(node -> routes.add(node.at("/cause/route").asText()));
        return routes;
    }
}

package dev.understudy.it.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.WaitForSelectorState;
import dev.understudy.it.stage.BrowserPage;
import dev.understudy.it.stage.ConsoleStage;
import dev.understudy.it.stage.TeeStage;
import dev.understudy.it.stage.Understudy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Signing in, roles, control, and that commands show the same. The check that kills the lane process is last.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ConsoleSessionChecks extends ConsoleChecks {
    private static final String PLACES = "[...document.querySelectorAll('header > *, .session button')]"
            + ".map(part => Math.round(part.getBoundingClientRect().left)).join()";

    @Test
    void linkWhoseFirstRequestIsLost_signsInWithTheSecond() throws Exception {
        try (BrowserPage chromium = stage.chromium().light()) {
            chromium.page().route("**/v1/console/session", Route::abort, new Page.RouteOptions().setTimes(1));
            chromium.open(link());
            assertThat(chromium.page()
                            .waitForSelector("nav, [role=alert], #token")
                            .textContent())
                    .contains("Exchanges");
        }
    }

    @Test
    void linkOfTheCommand_signsIn_onceOnly() throws Exception {
        try (BrowserPage chromium = stage.chromium().light();
                BrowserPage other = stage.chromium().light()) {
            String link = link();
            chromium.open(link);
            assertThat(chromium.page().waitForSelector("nav, [role=alert]").textContent())
                    .contains("Exchanges");
            assertThat(chromium.page().url()).as("no code in the address").doesNotContain("code");
            assertThat(chromium.page().context().cookies()).singleElement().satisfies(cookie -> {
                assertThat(cookie.httpOnly).isTrue();
                assertThat(cookie.value).doesNotContain(ConsoleStage.TOKEN);
            });
            chromium.page().reload();
            chromium.page().waitForSelector("nav");

            other.open(link);
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
    void reader_seesAll_andChangesNothing_alsoWithoutAnAggregator() throws Exception {
        Path alone = Files.createDirectory(folder.resolve("alone"));
        TeeStage tee = stage.openTee(alone, "control.anonymous=read");
        try (BrowserPage chromium = stage.chromium().dark()) {
            Page page = chromium.page();
            chromium.open(tee.control() + "/#/upstreams");
            page.waitForSelector("text=No aggregator");
            assertThat(page.textContent("main")).contains("understudy aggregator", "aggregator.url");
            assertSound(chromium);

            go(page, "Control");
            page.waitForSelector("text=Copying is");
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
            page.waitForSelector("text=Copying is on");
            page.click("main button:has-text('Pause')");
            page.waitForSelector("dialog[open]");
            assertSound(chromium);
            page.keyboard().press("2");
            page.keyboard().press("Escape");
            page.waitForSelector("dialog", new Page.WaitForSelectorOptions().setState(WaitForSelectorState.DETACHED));
            assertThat(mode()).as("asked, and not confirmed").isEqualTo("on");

            confirm(page, "Pause");
            page.waitForSelector("text=Copying is paused");
            assertThat(mode()).isEqualTo("paused");
            confirm(page, "On");
            page.waitForSelector("text=Copying is on");
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
            page.waitForSelector(".timeline li:has-text('copying is paused')");
            assertThat(page.textContent(".timeline")).contains("the first of server", "All divergences");
            chromium.assertStaysAt(stage.tee().control());
        }
    }

    @Test
    void breakpoints_dangersAreSeenLive() throws Exception {
        TeeStage tee = stage.openTee(
                Files.createDirectory(folder.resolve("stops")), "control.anonymous=read", "window.reply-timeout=20s");
        try (BrowserPage chromium = stage.chromium().light()) {
            Page page = chromium.page();
            chromium.open(tee.control() + "/");
            page.waitForSelector("text=0 requests wait for its answer");
            assertThat(page.textContent("main")).contains("one that stands still for 20.00 s is not compared");
            stage.get(tee, "/stops/1");
            page.waitForSelector("text=1 request waits for its answer");
            page.waitForSelector(".problem:has-text('The oldest waits for')");
            assertSound(chromium);
            stage.goOn();
            page.waitForSelector("text=0 requests wait for its answer");
        }
    }

    @Test
    void page_isSmall_withAllItsViews() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            assertThat(transferred(chromium.page())).isBetween(100_000, 300_000);
        }
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
            assertThat(page.textContent("[aria-label=Listeners]")).contains(found("fidelity +(.+)", status));
            assertThat(page.textContent(".node.sidecar")).contains("copying " + found(" tee (\\w+)", status));
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
                                    "#1 failing: shop.Tariff#price at line 4 made total 4 to 7",
                                    "importance " + found("strength of evidence (0\\.\\d\\d)", shown),
                                    "held in " + found("It held in (\\d+ of \\d+ failing)", shown),
                                    found("exchange (\\d+)", shown)));
            assertThat(suspects)
                    .contains("agents observe branches and values of "
                            + String.join(", ", page.locator(".looking li").allTextContents()) + "\n");
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

    @Test
    void faults_areInjectedIntoDebugsCalls_andTakenBack() throws Exception {
        calls.join();
        try (BrowserPage chromium = stage.signedIn(stage.chromium().dark())) {
            Page page = chromium.page();
            go(page, "Upstreams");
            page.click("section.faults summary");
            page.selectOption("#field-fault", "error");
            page.fill("#field-code", "418");
            page.fill("#field-message", "<b>on purpose");
            page.fill("#field-form", "GET /stock/9*");
            confirm(page, "Inject");
            page.waitForSelector("section.faults li:has-text('numbers-error')");
            assertThat(page.textContent("section.faults li")).contains("code 418", "<b>on purpose", "0 of 0 calls");
            assertThat(page.textContent("section.faults [role=status]:has-text('on purpose')"))
                    .contains("numbers-error");
            assertSound(chromium);

            stage.call("/stock/9", "/stock/9").join();
            page.waitForSelector("table.calls tr:has-text('/stock/9'):has-text('fault numbers-error')");
            page.waitForSelector("section.faults li:has-text('1 of 1 calls got it')");
            go(page, "Overview");
            page.waitForSelector("main [role=status]:has-text('get faults on purpose: numbers-error')");
            assertSound(chromium);

            go(page, "Upstreams");
            confirm(page, "Take back");
            page.waitForSelector(
                    "section.faults li", new Page.WaitForSelectorOptions().setState(WaitForSelectorState.DETACHED));
            assertThat(stage.twins().read("/v1/faults").path("faults")).isEmpty();

            page.click("section.faults summary");
            confirm(page, "Inject");
            assertThat(page.waitForSelector("section.faults [role=alert]").textContent())
                    .as("what the aggregator says of a latency without a delay")
                    .contains("delay");
        }
    }

    @Test
    @Order(Integer.MAX_VALUE - 2)
    void whatCountsAsFailing_isChanged_andTheRankingBeginsAnew() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            go(page, "Suspects");
            page.waitForSelector("ol.suspects > li");
            page.click("details.labels summary");
            page.waitForSelector("#field-labels-status");
            assertSound(chromium);
            page.fill("#field-labels-status", "400");
            page.selectOption("#field-labels-different", "no");
            page.fill("#field-labels-also", "404 GET /orders/*\n200 GET /cart/* where json /total < 0");
            confirm(page, "Change");
            page.waitForSelector("details.labels summary:has-text('changed since the start')");
            assertThat(page.locator("ol.suspects > li").count()).isZero();
            assertSound(chromium);
            assertThat(printed(0, "labels", "show"))
                    .contains(
                            "status     from 400 on",
                            "different  doesn't fail",
                            "404 GET /orders/*, 200 GET /cart/* where json /total < 0");

            confirm(page, "As the settings say");
            page.waitForFunction("() => document.querySelector('#field-labels-status').value === '500'");
            assertThat(printed(0, "labels", "show")).contains("status     from 500 on", "also       none");

            page.fill("#field-labels-status", "42");
            confirm(page, "Change");
            assertThat(page.waitForSelector("details.labels [role=alert]").textContent())
                    .contains("status: 42 (expected:");
        }
    }

    @Test
    @Order(Integer.MAX_VALUE - 1)
    void differences_areAcceptedAsNoise_afterATrial() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            go(page, "Divergences");
            String cause = ".causes > li:has(h3:text-is('GET /orders/{n}')) ";
            page.click(cause + ".accept summary");
            assertSound(chromium);
            page.selectOption(cause + ".accept select[name$=path]", "body.note");
            page.selectOption(cause + ".accept select[name$=value]", "any");
            page.click(cause + "button:has-text('Try')");
            assertThat(page.waitForSelector(cause + ".tried").textContent())
                    .contains("0 would count as the same", "20 would differ less", "onerror=document.title");
            assertSound(chromium);

            confirm(page, "Accept");
            page.waitForSelector(".noise-rules li:has-text('GET /orders/{n} body.note any, applied to 0')");
            page.selectOption(cause + ".accept select[name$=path]", "body.total");
            page.selectOption(cause + ".accept select[name$=value]", "number");
            page.click(cause + "button:has-text('Try')");
            page.waitForSelector(cause + ".tried:has-text('20 would differ less'):has-text('body.total')");
            confirm(page, "Accept");
            page.waitForSelector(".noise-rules li:has-text('body.total number')");
            String header = page.locator(cause + ".accept select[name$=path] option").allTextContents().stream()
                    .filter(place -> !place.startsWith("body."))
                    .findFirst()
                    .orElseThrow();
            page.selectOption(cause + ".accept select[name$=path]", header);
            page.selectOption(cause + ".accept select[name$=value]", "any");
            confirm(page, "Accept");
            page.waitForSelector(".noise-rules li:has-text('" + header + "')");
            Download export = page.waitForDownload(() -> page.click("a[download]"));
            assertThat(export.suggestedFilename()).isEqualTo("divergences.json");
            assertThat(new ObjectMapper()
                            .readTree(export.path().toFile())
                            .at("/copies/0/firstCauses")
                            .findValuesAsText("route"))
                    .contains("GET /orders/{n}", "GET /quotes/{n}");

            assertThat(printed(0, "noise", "list")).contains("GET /orders/{n} body.note any", header + " any");
            stage.get("/orders/77");
            page.waitForSelector(".noise-rules li:has-text('body.note any, applied to 1 ')");
            go(page, "Exchanges");
            page.waitForSelector("a.cells:has-text('GET /orders/77') .verdict.equivalent");

            String id = found("(?m)^(\\w+) +GET /orders/\\{n} body.note any", printed(0, "noise", "list"));
            assertThat(printed(0, "noise", "remove", id)).doesNotContain("body.note");
            assertThat(printed(0, "noise", "try", "body.note", "any", "--route", "GET /orders/{n}"))
                    .contains("20 would count as the same", "body.note", "/orders/");
            assertThat(printed(0, "noise", "add", "body.note", "any", "--route", "GET /orders/{n}"))
                    .contains(id);
            go(page, "Divergences");
            page.click(".noise-rules li:has-text('body.note') button:has-text('Take back')");
            page.click("dialog[open] button.primary");
            page.waitForSelector(
                    ".noise-rules li:has-text('body.note')",
                    new Page.WaitForSelectorOptions().setState(WaitForSelectorState.DETACHED));
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

            Object header = page.evaluate(PLACES);
            killLanes(stage.tee());
            page.waitForSelector(".live.lost");
            assertThat(page.evaluate(PLACES)).as("nothing moves").isEqualTo(header);
            page.waitForSelector(".live:not(.lost)");
            stage.get("/orders/2");
            page.waitForSelector("a.cells:has-text('GET /orders/2')");
            assertThat(page.locator("a.cells").count())
                    .as("of the new process alone")
                    .isEqualTo(1);
        }
    }

    private static String mode() throws Exception {
        return new ObjectMapper()
                .readTree(stage.control("/v1/listeners/server/tee", null).body())
                .path("mode")
                .asText();
    }

    /** By a command, of the same session. */
    private static String printed(int code, String... command) throws Exception {
        Stream<String> where = Stream.of("--url", stage.tee().control(), "--token", ConsoleStage.TOKEN);
        return Understudy.run(
                folder, code, Stream.concat(Stream.of(command), where).toArray(String[]::new));
    }

    private static String found(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern + " in " + text).isTrue();
        return matcher.group(1);
    }

    private static String link() throws Exception {
        String printed = Understudy.run(
                folder, 0, "console", "--no-open", "--url", stage.tee().control(), "--token", ConsoleStage.TOKEN);
        assertThat(printed.strip()).matches(Pattern.quote(stage.tee().control()) + "/#code=[\\w-]{32}");
        return printed.strip();
    }
}

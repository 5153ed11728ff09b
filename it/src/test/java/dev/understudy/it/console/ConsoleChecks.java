package dev.understudy.it.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.WaitForSelectorState;
import dev.understudy.it.stage.BrowserPage;
import dev.understudy.it.stage.ConsoleStage;
import dev.understudy.it.stage.TeeStage;
import dev.understudy.it.stage.Understudy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;

/** What the checks of all views share: one session, and how somebody moves in the page. */
abstract class ConsoleChecks {
    static final int ORDERS = ConsoleStage.ORDERS;

    private static final String ALL_LOADED = "() => ['exchange', 'view-code', 'view-control', 'view-divergences',"
            + " 'view-overview', 'view-suspects', 'view-upstreams', 'noise', 'faults', 'labels', 'source', 'compare',"
            + " 'patch', 'jar']"
            + ".every(name => performance.getEntriesByName(`${location.origin}/console/${name}.js`)"
            + ".some(entry => entry.responseEnd > 0))";

    private static final String TRANSFERRED = "performance.getEntries()"
            + ".filter(entry => entry.entryType === 'navigation' || entry.name.includes('/console/'))"
            + ".filter(entry => !entry.name.includes('/v1/'))"
            + ".reduce((sum, entry) => sum + (entry.encodedBodySize ?? 0), 0)";

    /** A page waits until there is no such element any more. */
    static final Page.WaitForSelectorOptions GONE =
            new Page.WaitForSelectorOptions().setState(WaitForSelectorState.DETACHED);

    @SuppressWarnings("NullAway.Init")
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    static ConsoleStage stage;

    static CompletableFuture<?> calls = CompletableFuture.completedFuture(null);

    static void choose(Page page, String name, String label) {
        Locator option = page.locator("select[name=" + name + "] option", new Page.LocatorOptions().setHasText(label));
        page.selectOption("select[name=" + name + "]", option.first().getAttribute("value"));
    }

    static void confirm(Page page, String action) {
        page.click("main .action > button:has-text('" + action + "')");
        page.click("dialog[open] button.primary");
    }

    static void assertSound(BrowserPage chromium) {
        assertThat(chromium.page().title()).isEqualTo("Understudy console");
        assertThat(chromium.complaints()).isEmpty();
        chromium.assertAccessible();
        chromium.assertFitsAllWidths();
    }

    static void go(Page page, String view) {
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(view).setExact(true))
                .click();
    }

    /** Ends the process that the page is served by; the relay goes on, and starts another one. */
    static void killLanes(TeeStage tee) {
        ProcessHandle lanes = tee.sidecar()
                .process()
                .descendants()
                .filter(process -> process.info().commandLine().orElse("").contains(" lanes"))
                .findFirst()
                .orElseThrow();
        assertThat(lanes.destroyForcibly()).isTrue();
    }

    /** The bytes of the page and all its files, once it has them all: the last when an exchange is shown. */
    static int transferred(Page page) {
        go(page, "Exchanges");
        page.locator("a.cells").first().click();
        page.waitForFunction(ALL_LOADED);
        return ((Number) page.evaluate(TRANSFERRED)).intValue();
    }

    static void awaitRows(Page page, int count, String text) {
        page.waitForSelector("text=" + count + " shown");
        Locator first = page.locator("a.cells").first();
        first.waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.VISIBLE));
        assertThat(first.textContent()).contains(text);
    }

    static List<String> causes(Page page) {
        return page.locator(".card > .causes > li > h3").allTextContents();
    }

    /** By the command, of the same session. */
    static List<String> printedCauses() throws Exception {
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

package dev.understudy.it.stage;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A page with cookies and a memory of its own. It remembers what it asked for and complained of. Confined to one
 * thread.
 */
public final class BrowserPage implements AutoCloseable {
    private static final double PATIENCE_MILLIS = 60_000;
    /** Whenever an interface comes or goes, such as a container's, the browser gives up all its connections. */
    private static final String NETWORK_CHANGED = "ERR_NETWORK_CHANGED";

    /** What a page can't do without, by Playwright's names. */
    private static final Set<String> PARTS = Set.of("document", "script", "stylesheet");

    private static final int TRIES = 5;

    private final BrowserContext context;
    private final Page page;
    private final String interruption;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private boolean wasInterrupted;

    BrowserPage(Browser browser, ColorScheme colours) {
        this(browser, colours, NETWORK_CHANGED);
    }

    /**
     * One that is opened anew after another failure than the usual one.
     *
     * @param interruption is in the failure's text
     */
    BrowserPage(Browser browser, ColorScheme colours, String interruption) {
        this.interruption = interruption;
        context = browser.newContext(
                new Browser.NewContextOptions().setViewportSize(1280, 800).setColorScheme(colours));
        context.setDefaultTimeout(PATIENCE_MILLIS);
        page = context.newPage();
        page.onRequest(request -> requests.add(request.url()));
        page.onRequestFailed(request -> {
            if (PARTS.contains(request.resourceType()) && isInterruption(request.failure())) {
                wasInterrupted = true;
            }
        });
        page.onConsoleMessage(message -> {
            boolean isComplaint =
                    message.type().equals("error") || message.type().equals("warning");
            if (isComplaint && !isInterruption(message.text())) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
    }

    /** What shows the page. */
    public Page page() {
        return page;
    }

    /**
     * Goes to an address. What the network's change took away from the page is asked for again.
     *
     * @throws PlaywrightException if it can't be had
     */
    public void open(String url) {
        boolean isThere = false;
        int before = complaints.size();
        for (int n = 1; n <= TRIES; n++) {
            wasInterrupted = false;
            complaints.subList(before, complaints.size()).clear();
            try {
                if (isThere) {
                    page.reload();
                } else {
                    page.navigate(url);
                }
                isThere = true;
            } catch (PlaywrightException failed) {
                if (n == TRIES || !isInterruption(failed.getMessage())) {
                    throw failed;
                }
                continue;
            }
            if (!wasInterrupted) {
                return;
            }
        }
        throw new PlaywrightException(url + " was interrupted " + TRIES + " times");
    }

    private boolean isInterruption(@Nullable String failure) {
        return failure != null && failure.contains(interruption);
    }

    /** What the page complained of: scripts that failed, what a policy refused, answers with errors. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** Nothing but this origin was asked for anything. */
    public void assertStaysAt(String origin) {
        assertThat(requests)
                .isNotEmpty()
                .allSatisfy(url -> assertThat(url).matches(Pattern.quote(origin) + "(/.*)?|data:.*"));
    }

    /** Axe finds nothing serious on the page as it stands. */
    public void assertAccessible() {
        assertThat(new AxeBuilder(page)
                        .analyze().getViolations().stream()
                                .filter(rule -> List.of("serious", "critical").contains(rule.getImpact()))
                                .map(rule -> rule.getId() + ": " + rule.getHelp() + " "
                                        + rule.getNodes().stream()
                                                .limit(3)
                                                .map(node -> node.getHtml() + " " + node.getFailureSummary())
                                                .toList())
                                .toList())
                .isEmpty();
    }

    /** It fits windows down to a telephone's. */
    public void assertFitsAllWidths() {
        for (int width : new int[] {1280, 800, 390}) {
            page.setViewportSize(width, 800);
            page.waitForFunction("width => window.innerWidth === width", width);
            assertThat(((Number) page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).intValue())
                    .as("what a window of %d can't show", width)
                    .isNotPositive();
        }
        page.setViewportSize(1280, 800);
    }

    @Override
    public void close() {
        context.close();
    }
}

package dev.understudy.it.stage;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import dev.understudy.it.bench.process.Programs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The installed Chromium, driven by Playwright. Tests that use it need {@code chromium}. Starting it takes seconds, so
 * one serves all checks of a class; each opens a page of its own, which knows nothing of the others'. Confined to one
 * thread.
 */
public final class Chromium implements AutoCloseable {
    private final Playwright playwright;
    private final Browser browser;

    private Chromium() {
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(executable())
                        .setArgs(List.of("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")));
    }

    /** The same browser without the windows of a desktop, where that is installed: it takes half the processor time. */
    private static Path executable() {
        return Programs.find("chromium-headless-shell").orElseGet(() -> Path.of(Programs.path("chromium")));
    }

    /** Starts it. */
    public static Chromium start() {
        return new Chromium();
    }

    /** A page that prefers light colours. */
    public BrowserPage light() {
        return new BrowserPage(browser, ColorScheme.LIGHT);
    }

    /** A page that prefers dark colours. */
    public BrowserPage dark() {
        return new BrowserPage(browser, ColorScheme.DARK);
    }

    /** A page that takes another failure than the network's change for an interruption. */
    BrowserPage interruptedBy(String failure) {
        return new BrowserPage(browser, ColorScheme.LIGHT, failure);
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}

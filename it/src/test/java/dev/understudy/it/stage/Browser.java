package dev.understudy.it.stage;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Programs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A real browser that shows a page of ours. It has no way to any host, so that whatever a page would load shows. Tests
 * that use it need {@code chromium} and {@code chromedriver}.
 */
public final class Browser implements AutoCloseable {
    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Shows the page; the browser's own files go into the folder. */
    public static Browser open(Path folder, Path page) throws IOException {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(Programs.path("chromium"));
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--user-data-dir=" + folder.resolve("profile"));
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(Programs.path("chromedriver")))
                .usingPort(FreePorts.next())
                .withLogOutput(System.err)
                .build();
        Browser browser = new Browser(new ChromeDriver(service, options));
        browser.driver.get(page.toUri().toString());
        return browser;
    }

    /** What finds elements and asks the page. */
    public ChromeDriver driver() {
        return driver;
    }

    /** The page runs no script, loads nothing, complains of nothing, and fits windows down to a telephone's. */
    public void assertSelfContained() {
        assertThat(driver.executeScript("return document.querySelectorAll('script,img').length"))
                .isEqualTo(0L);
        assertThat(driver.executeScript("return performance.getEntriesByType('resource').length"))
                .isEqualTo(0L);
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
        for (int width : new int[] {1400, 800, 500}) {
            driver.manage().window().setSize(new Dimension(width, 900));
            await("a window of " + width)
                    .until(() -> Boolean.TRUE.equals(driver.executeScript("return window.innerWidth <= " + width)));
            assertThat((Long) driver.executeScript("return document.documentElement.scrollWidth - window.innerWidth"))
                    .as("what a window of %d can't show", width)
                    .isNotPositive();
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}

package dev.understudy.it.stage;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The failure that a changed network makes can't be had at will: another one stands in for it. */
@Tag("any-jdk")
@NeedsPrograms("chromium")
class BrowserPageIT {
    private static final String FAILURE = "ERR_CONNECTION_FAILED";
    private static final String FAIL = "connectionfailed";

    private static final Map<String, String> FILES = Map.of(
            "/", "<!doctype html><title>no script</title><script type=module src=/main.js></script>",
            "/main.js", "import './part.js'; document.title += '.';",
            "/part.js", "document.title = 'all there';");

    private HttpServer server;
    private String url;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", request -> {
            String path = request.getRequestURI().getPath();
            byte[] file = FILES.getOrDefault(path, "").getBytes(StandardCharsets.UTF_8);
            request.getResponseHeaders().set("Content-Type", path.equals("/") ? "text/html" : "text/javascript");
            request.sendResponseHeaders(200, file.length);
            request.getResponseBody().write(file);
            request.close();
        });
        server.start();
        url = "http://127.0.0.1:" + server.getAddress().getPort() + "/#place";
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void pageThatLostPartsToAnInterruption_isLoadedAnew() {
        try (Chromium chromium = Chromium.start();
                BrowserPage page = chromium.interruptedBy(FAILURE)) {
            fail(page, "**/part.js", 2);
            page.open(url);
            assertThat(page.page().title()).isEqualTo("all there.");
            assertThat(page.page().url()).isEqualTo(url);
            assertThat(page.complaints()).isEmpty();
        }
    }

    @Test
    void pageThatWasInterruptedItself_isAskedForAgain() {
        try (Chromium chromium = Chromium.start();
                BrowserPage page = chromium.interruptedBy(FAILURE)) {
            fail(page, "**/", 2);
            page.open(url);
            assertThat(page.page().title()).isEqualTo("all there.");
        }
    }

    @Test
    void pageThatIsInterruptedEachTime_fails() {
        try (Chromium chromium = Chromium.start();
                BrowserPage page = chromium.interruptedBy(FAILURE)) {
            fail(page, "**/part.js", 5);
            assertThatThrownBy(() -> page.open(url))
                    .isInstanceOf(PlaywrightException.class)
                    .hasMessageContaining("was interrupted 5 times");
        }
    }

    @Test
    void pageThatFailsForAnotherReason_isNotRetried() {
        try (Chromium chromium = Chromium.start();
                BrowserPage page = chromium.light();
                BrowserPage other = chromium.light()) {
            fail(page, "**/main.js", 1);
            page.open(url);
            assertThat(page.page().title()).isEqualTo("no script");
            assertThat(page.complaints()).anyMatch(complaint -> complaint.contains(FAILURE));

            fail(other, "**/", 1);
            assertThatThrownBy(() -> other.open(url))
                    .isInstanceOf(PlaywrightException.class)
                    .hasMessageContaining(FAILURE);
        }
    }

    private static void fail(BrowserPage page, String what, int times) {
        page.page().route(what, route -> route.abort(FAIL), new Page.RouteOptions().setTimes(times));
    }
}

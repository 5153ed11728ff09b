package dev.understudy.it;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.it.stage.Browser;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.NeedsPrograms;
import dev.understudy.it.stage.TeeStage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;

import static org.assertj.core.api.Assertions.assertThat;

/** The report's page in a real browser: what a reader sees of it, on a screen and on a telephone. */
@Tag("any-jdk")
class ReportPageIT {
    private static final String HOSTILE =
            "<img src=x onerror=document.title='broken'><script>document.title='broken'</script>";
    private static final int REQUESTS = 30;

    @TempDir
    Path folder;

    @Test
    @NeedsPrograms({"chromium", "chromedriver"})
    void page_showsTheDivergence_withoutScriptNetworkOrSidewaysScrolling() throws Exception {
        try (Browser opened = Browser.open(folder, report())) {
            ChromeDriver browser = opened.driver();
            assertThat(browser.getTitle()).isEqualTo("Understudy: report of a session");
            WebElement cause = browser.findElement(By.cssSelector("section.cause"));
            assertThat(cause.getText())
                    .contains(
                            "GET /orders/{n}", "30 exchanges", "GET /orders/0, trace ", "body.note", HOSTILE, "curl ");
            assertThat(cause.findElement(By.cssSelector("ins")).isDisplayed()).isTrue();
            assertThat(browser.findElement(By.cssSelector("p.lead")).getText()).contains("30 of 60, 30 differ");
            List<WebElement> plots = browser.findElements(By.cssSelector("figure svg"));
            assertThat(plots).hasSize(2).allSatisfy(plot -> {
                assertThat(plot.getRect().getHeight()).isGreaterThan(100);
                assertThat(plot.findElements(By.cssSelector("polyline"))).hasSize(2);
            });
            opened.assertSelfContained();
        }
    }

    private Path report() throws IOException, InterruptedException {
        HttpServer production = serving(path -> "{\"path\":\"" + path + "\",\"note\":\"as ordered\"}");
        HttpServer debug = serving(path -> path.startsWith("/orders")
                ? "{\"path\":\"" + path + "\",\"note\":\"" + HOSTILE + "\"}"
                : "{\"path\":\"" + path + "\",\"note\":\"as ordered\"}");
        try (TeeStage stage = TeeStage.open(
                folder,
                "http",
                production.getAddress().getPort(),
                debug.getAddress().getPort())) {
            HttpClient client = HttpClient.newHttpClient();
            for (int n = 0; n < REQUESTS; n++) {
                for (String path : List.of("/orders/" + n, "/health")) {
                    URI uri = URI.create("http://127.0.0.1:" + stage.port() + path);
                    client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
                }
            }
            stage.awaitExchanges(2 * REQUESTS);
            Path page = folder.resolve("report.html");
            List<String> command =
                    List.of("./understudy", "report", "--url", stage.control(), "--html", page.toString());
            try (Child ran = Child.start(folder.resolve("report.log"), command)) {
                assertThat(ran.exitCode(Duration.ofMinutes(1))).as(ran.output()).isEqualTo(1);
            }
            return page;
        } finally {
            production.stop(0);
            debug.stop(0);
        }
    }

    private static HttpServer serving(UnaryOperator<String> answer) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", exchange -> {
            byte[] body = answer.apply(exchange.getRequestURI().getPath()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }
}

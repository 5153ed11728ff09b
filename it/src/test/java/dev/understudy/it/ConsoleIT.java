package dev.understudy.it;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.WaitForSelectorState;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.Checkout;
import dev.understudy.it.stage.Chromium;
import dev.understudy.it.stage.NeedsPrograms;
import dev.understudy.it.stage.TeeStage;
import dev.understudy.it.stage.Understudy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The console in a real browser: what somebody sees who looks for a defect with it alone. */
@Tag("any-jdk")
class ConsoleIT {
    private static final String HOSTILE =
            "<img src=x onerror=document.title='broken'><script>document.title='broken'" + "</script>\\u0007\\u202e";
    private static final String TOKEN = "a-token-of-the-console's";
    private static final int ORDERS = 20;

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> spans = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private HttpServer production;

    @SuppressWarnings("NullAway.Init")
    private HttpServer debug;

    @SuppressWarnings("NullAway.Init")
    private TeeStage stage;

    @BeforeEach
    void open() throws Exception {
        production = serving(exchange -> answer(exchange, 200, body(exchange, "as ordered", 17)));
        debug = serving(exchange -> {
            String path = exchange.getRequestURI().getPath();
            if (path.startsWith("/quotes")) {
                answer(exchange, 500, "{\"error\":\"no tariff\"}");
            } else if (path.startsWith("/orders")) {
                exchange.getResponseHeaders().set("X-Note", "<script>document.title='broken'</script>");
                answer(exchange, 200, body(exchange, HOSTILE, 18));
            } else {
                answer(exchange, 200, body(exchange, "as ordered", 17));
            }
            String parent = exchange.getRequestHeaders().getFirst("traceparent");
            if (parent != null && (path.startsWith("/quotes") || path.startsWith("/health"))) {
                spans.add(parent.split("-", -1)[2] + " " + path);
            }
        });
        stage = TeeStage.open(
                folder,
                "http",
                production.getAddress().getPort(),
                debug.getAddress().getPort(),
                "control.listen=127.0.0.1:" + FreePorts.next(),
                "control.anonymous=none",
                "control.token=" + TOKEN,
                "tap.carrier=ring");
    }

    @AfterEach
    void close() {
        stage.close();
        debug.stop(0);
        production.stop(0);
    }

    @Test
    @NeedsPrograms("chromium")
    void linkOfTheCommand_signsIn_onceOnly() throws Exception {
        try (Chromium chromium = Chromium.light();
                Chromium other = Chromium.light()) {
            // good for a minute, in which two browsers may still be starting
            String link = link();
            chromium.page().navigate(link);
            assertThat(chromium.page().waitForSelector("nav, [role=alert]").textContent())
                    .contains("Exchanges");
            assertThat(chromium.page().url()).as("no code in the address").doesNotContain("code");
            assertThat(chromium.page().context().cookies()).singleElement().satisfies(cookie -> {
                assertThat(cookie.httpOnly).isTrue();
                assertThat(cookie.value).doesNotContain(TOKEN);
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
            other.page().fill("#token", TOKEN);
            other.page().click("button[type=submit]");
            other.page().waitForSelector("nav");
            other.page().click("text=Sign out");
            other.page().waitForSelector("#token");
            other.assertAccessible();
            assertThat(other.page().context().cookies()).isEmpty();
        }
    }

    @Test
    @NeedsPrograms("chromium")
    void views_showTheSession_ofThisOriginAlone() throws Exception {
        order();
        observe();
        try (Chromium chromium = signedIn(Chromium.light())) {
            Page page = chromium.page();
            page.waitForSelector(".picture");
            page.waitForFunction("document.querySelector('.stack[aria-label*=\"20 different\"], "
                    + ".stack[aria-label*=\"40 different\"]') !== null");
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
            chromium.assertStaysAt(stage.control());
        }
    }

    @Test
    @NeedsPrograms("chromium")
    void filters_areTheAddress_andOneExchangeHasItAll() throws Exception {
        order();
        try (Chromium chromium = signedIn(Chromium.dark())) {
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
    @NeedsPrograms("chromium")
    void keys_moveAndPause_andTheThemeIsKept() throws Exception {
        order();
        try (Chromium chromium = signedIn(Chromium.light())) {
            Page page = chromium.page();
            page.waitForSelector(".picture");
            page.keyboard().press("2");
            page.waitForSelector("a.cells");
            page.keyboard().press("p");
            page.waitForSelector("button[aria-pressed=true]");
            int shown = page.locator("a.cells").count();
            get("/late/1");
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
    @NeedsPrograms("chromium")
    void console_goesOn_whenTheLaneProcessWasKilled() throws Exception {
        try (Chromium chromium = signedIn(Chromium.light())) {
            Page page = chromium.page();
            page.waitForSelector(".live:not(.lost)");
            go(page, "Exchanges");
            get("/orders/1");
            page.waitForSelector("a.cells:has-text('GET /orders/1')");

            ProcessHandle lanes = stage.sidecar()
                    .process()
                    .descendants()
                    .filter(process -> process.info().commandLine().orElse("").contains(" lanes"))
                    .findFirst()
                    .orElseThrow();
            assertThat(lanes.destroyForcibly()).isTrue();
            page.waitForSelector(".live.lost");
            page.waitForSelector(".live:not(.lost)");
            get("/orders/2");
            page.waitForSelector("a.cells:has-text('GET /orders/2')");
            assertThat(page.locator("a.cells").count())
                    .as("of the new process alone")
                    .isEqualTo(1);
        }
    }

    /** Writes the documents' pictures; run by hand: {@code -Dunderstudy.screenshots=docs}. */
    @Test
    @NeedsPrograms("chromium")
    @EnabledIfSystemProperty(named = "understudy.screenshots", matches = ".+")
    void screenshots_areTaken() throws Exception {
        Path docs = Checkout.root().resolve(System.getProperty("understudy.screenshots"));
        order();
        observe();
        try (Chromium chromium = signedIn(Chromium.light())) {
            Page page = chromium.page();
            page.setViewportSize(1100, 700);
            page.waitForSelector(".picture");
            for (int n = 0; n < 40; n++) {
                get("/health/" + n);
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
        }
    }

    private static void shoot(Page page, Path file) {
        page.screenshot(new Page.ScreenshotOptions().setPath(file));
    }

    private void assertSound(Chromium chromium) {
        assertThat(chromium.page().title()).isEqualTo("Understudy console");
        assertThat(chromium.complaints()).isEmpty();
        chromium.assertAccessible();
        chromium.assertFitsAllWidths();
    }

    private Chromium signedIn(Chromium chromium) throws Exception {
        chromium.page().navigate(link());
        return chromium;
    }

    private String link() throws Exception {
        String printed = Understudy.run(folder, 0, "console", "--no-open", "--url", stage.control(), "--token", TOKEN);
        assertThat(printed.strip()).matches(Pattern.quote(stage.control()) + "/#code=[\\w-]{32}");
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
    private List<String> printedCauses() throws Exception {
        Path json = folder.resolve("report.json");
        Understudy.run(folder, 1, "report", "--url", stage.control(), "--token", TOKEN, "--json", json.toString());
        List<String> routes = new ArrayList<>();
        new ObjectMapper()
                .readTree(json.toFile())
                .at("/copies/0/firstCauses")
                .forEach(node -> routes.add(node.at("/cause/route").asText()));
        return routes;
    }

    /** Orders differ by their note and total, quotes fail in the debug JVM, health is the same. */
    private void order() throws Exception {
        for (int n = 0; n < ORDERS; n++) {
            for (String path : List.of("/health/", "/orders/", "/quotes/")) {
                get(path + n);
            }
        }
        await("verdicts").atMost(Duration.ofMinutes(1)).until(() -> {
            HttpResponse<String> found = control("/v1/exchanges?limit=500", null);
            return found.body().contains("\"newest\":" + 3 * ORDERS);
        });
    }

    /** What an agent in the debug JVM would say: a method was called in those that failed, and in no other. */
    private void observe() throws Exception {
        List<String> observed = new ArrayList<>();
        for (String span : spans) {
            String[] parts = span.split(" ", -1);
            observed.add("{\"span\":\"" + parts[0] + "\",\"whole\":true,\"held\":"
                    + (parts[1].startsWith("/quotes") ? "[16,32]" : "[16]") + "}");
        }
        HttpResponse<String> taken = control(
                "/v1/observations",
                "{\"name\":\"orders\",\"methods\":{\"1\":\"shop.Shop#serve\",\"2\":\"shop.Tariff#price\"},"
                        + "\"exchanges\":[" + String.join(",", observed) + "]}");
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
    }

    private void get(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + stage.port() + path);
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
    }

    private HttpResponse<String> control(String path, @Nullable String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(stage.control() + path))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json");
        return client.send(
                (body == null ? request : request.POST(BodyPublishers.ofString(body))).build(),
                BodyHandlers.ofString());
    }

    private static String body(HttpExchange exchange, String note, int total) {
        return "{\"path\":\"" + exchange.getRequestURI().getPath() + "\",\"note\":\"" + note + "\",\"total\":" + total
                + "}";
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static HttpServer serving(HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", handler);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "console-it");
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
        return server;
    }
}

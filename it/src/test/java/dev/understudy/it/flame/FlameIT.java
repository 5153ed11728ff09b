package dev.understudy.it.flame;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.Browser;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.NeedsPrograms;
import dev.understudy.it.stage.OwnJvm;
import dev.understudy.it.stage.TeeStage;
import dev.understudy.it.stage.Understudy;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The README's commands for flame graphs, as a user types them, and their page in a real browser; the agent is
 * attached.
 */
@TestInstance(Lifecycle.PER_CLASS)
class FlameIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Stacks are as of a service that is optimised as usual. */
    private static final String OPTIMISED = "-XX:TieredStopAtLevel=4";

    private static final String KEY = "the sidecar's and its agents' key";

    @TempDir
    static Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private Child production;
    private TeeStage tee;
    private Child debug;

    @BeforeAll
    void takeStacks() throws Exception {
        Path key = Files.writeString(folder.resolve("agents.key"), KEY);
        production = OwnJvm.start(folder, Appraiser.class, "production", OPTIMISED, "-Dmillis=20");
        int debugPort = FreePorts.next();
        tee = TeeStage.open(folder, "http", OwnJvm.port(production), debugPort, "agents.key-file=" + key);
        debug = OwnJvm.start(folder, Appraiser.class, "debug", OPTIMISED, "-Dmillis=100", "-Dport=" + debugPort);
        OwnJvm.port(debug);
        attach(production, "name=production", key);
        attach(debug, "name=appraiser-debug,allocations=150", key);
        OwnJvm.awaitArmed(debug, tee);
        int[] sent = new int[1];
        await("stacks of both routes").atMost(PATIENCE).until(() -> {
            ask(tee.port(), "/articles/" + sent[0]++);
            ask(tee.port(), "/health");
            tee.awaitExchanges(2 * sent[0]); // a debug JVM that lags behind has no budget for stacks
            return samples("/articles/%7Bn%7D") >= 10 && samples("/health") >= 1;
        });
    }

    @AfterAll
    void end() throws Exception {
        for (AutoCloseable each : new AutoCloseable[] {debug, tee, production}) {
            if (each != null) {
                each.close();
            }
        }
    }

    @Test
    void flame_saysWhereTheDebugJvmsTimeGoes_besideProductions() throws Exception {
        assertThat(flame(0))
                .contains(
                        "GET /articles/{n} (server, debug)",
                        "GET /health (server, debug)",
                        " times production's",
                        "jdk.internal.misc.Unsafe.park");
        assertThat(flame(0, "server", "--route", "GET /articles/{n}", "--collapsed"))
                .containsPattern(
                        "(?m)^server: GET /articles/\\{n};java\\.lang\\.Thread\\.run;.*;dev\\.understudy\\.it\\.flame"
                                + "\\.Appraiser\\.serve;dev\\.understudy\\.it\\.flame\\.Appraiser\\.appraise;.* \\d+$")
                .doesNotContain("/health");
        assertThat(flame(1, "--route", "GET /never")).contains("no stacks yet");
    }

    @Test
    void flame_saysForWhichRouteTheDebugJvmAllocates() throws Exception {
        int[] sent = new int[1];
        await("photographs of articles").atMost(PATIENCE).untilAsserted(() -> {
            for (int i = 0; i < 20; i++) {
                ask(tee.port(), "/articles/" + sent[0]++);
                ask(tee.port(), "/health");
            }
            assertThat(tee.read("/v1/allocations?listener=server&route=GET%20/articles/%7Bn%7D")
                            .at("/agents/0/routes/0/samples")
                            .asInt())
                    .isGreaterThanOrEqualTo(10);
            assertThat(flame(0, "server", "--allocation"))
                    .contains(
                            "appraiser-debug: ",
                            "GET /articles/{n} (server, debug)\n",
                            Appraiser.class.getName() + ".photograph makes byte[]");
        });
        assertThat(flame(0, "--allocation", "--collapsed").lines())
                .filteredOn(line -> line.contains(".photograph;byte[] "))
                .as("none of another route's, though nobody may know of the first ones")
                .allMatch(line -> line.startsWith("server: GET /articles/{n};") || line.startsWith("(no route known)"));
    }

    @Test
    @NeedsPrograms({"chromium", "chromedriver"})
    void page_showsTheMethodsAsBoxes_withoutScriptNetworkOrSidewaysScrolling() throws Exception {
        Path page = folder.resolve("flame.html");
        flame(0, "--html", page.toString());

        try (Browser opened = Browser.open(folder, page)) {
            ChromeDriver browser = opened.driver();
            assertThat(browser.getTitle()).isEqualTo("Understudy: what the debug JVM does");
            WebElement caller = box(browser, "Appraiser.serve");
            WebElement callee = box(browser, "Appraiser.appraise");
            assertThat(callee.isDisplayed()).isTrue();
            assertThat(callee.getAttribute("title")).contains(Appraiser.class.getName() + ".appraise: ");
            assertThat(callee.getRect().getY()).isGreaterThan(caller.getRect().getY());
            assertThat(callee.getRect().getX())
                    .isBetween(
                            caller.getRect().getX(),
                            caller.getRect().getX() + caller.getRect().getWidth());
            assertThat(browser.findElements(By.cssSelector(".time")))
                    .extracting(WebElement::getText)
                    .contains("debug", "production");
            opened.assertSelfContained();
        }
    }

    @Test
    void ofTwoJvmsWithTheSameKey_onlyTheDebugOneIsWoven() throws Exception {
        assertThat(tee.read("/v1/agent").toString()).contains("appraiser-debug").doesNotContain("\"production\"");
        await("what the other one says")
                .atMost(PATIENCE)
                .until(() -> production.output().contains("inert until the sidecar at " + tee.control()));
        assertThat(production.output()).doesNotContain("debug agent on", KEY);
        assertThat(debug.output() + tee.sidecar().output())
                .contains("debug agent on")
                .doesNotContain(KEY);
    }

    private int samples(String route) throws IOException, InterruptedException {
        return tee.read("/v1/flame?route=GET%20" + route)
                .at("/routes/0/samples")
                .asInt();
    }

    private void attach(Child jvm, String name, Path key) throws Exception {
        String settings = name + ",keyfile=" + key + ",sidecar=" + tee.control();
        assertThat(Understudy.run(
                        folder, 0, "attach", Long.toString(jvm.process().pid()), settings))
                .contains("asking the sidecar whether this is the debug JVM");
    }

    private static WebElement box(ChromeDriver browser, String method) {
        return browser.findElement(By.xpath("//div[contains(@class,'flame')]/div[text()='" + method + "']"));
    }

    private String flame(int exitCode, String... arguments) throws Exception {
        return Understudy.run(
                folder,
                exitCode,
                Stream.of(new String[] {"flame"}, arguments, new String[] {"--url", tee.control()})
                        .flatMap(Stream::of)
                        .toArray(String[]::new));
    }

    private void ask(int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE)
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }
}

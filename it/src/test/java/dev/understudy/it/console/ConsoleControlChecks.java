package dev.understudy.it.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import dev.understudy.it.stage.BrowserPage;
import dev.understudy.it.stage.ConsoleAgent;
import dev.understudy.it.stage.ConsoleStage;
import dev.understudy.it.stage.TeeStage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is changed under Control, and how the overview tells of it, on a sidecar that nothing else is counted at: it has
 * a small window, may record, and has something to do under resync.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ConsoleControlChecks extends ConsoleChecks {
    @SuppressWarnings("NullAway.Init")
    private static TeeStage tee;

    private static Path recordings = Path.of("");

    @BeforeAll
    static void openTee() throws Exception {
        Path own = Files.createDirectory(folder.resolve("control"));
        recordings = own.resolve("recordings");
        tee = stage.openTee(
                own,
                "control.anonymous=operate",
                "window.memory=1MiB",
                "window.lane-memory=128KiB",
                "record.directory=" + recordings,
                "resync.webhook=" + stage.anything());
    }

    @Test
    @Order(0)
    void hostileNamesAndHeaders_areShownAsText() throws Exception {
        stage.get(tee, "/members/1");
        tee.awaitExchanges(1);
        try (BrowserPage chromium = stage.chromium().light()) {
            Page page = chromium.page();
            chromium.open(tee.control() + "/#/exchanges");
            page.click("a.cells:has-text('GET /members/1')");
            page.waitForSelector(".replies");
            assertThat(page.textContent(".differences")).contains(ConsoleStage.HOSTILE_NAME);
            assertThat(page.textContent(".replies"))
                    .contains("\"" + ConsoleStage.HOSTILE_NAME + "\" : 2")
                    .containsIgnoringCase("x-note: <script>document.title='broken'</script>");
            go(page, "Divergences");
            page.waitForSelector(".causes h3");
            assertThat(page.textContent(".causes")).contains(ConsoleStage.HOSTILE_NAME);
            assertSound(chromium);
        }
    }

    @Test
    @Order(1)
    void listener_isSwitchedOff_sampledAndRecorded() throws Exception {
        try (BrowserPage chromium = control()) {
            Page page = chromium.page();
            confirm(page, "Off");
            page.waitForSelector("text=Copying is off");
            confirm(page, "On");
            page.waitForSelector("text=Copying is on");

            page.click("text=Sampling");
            page.fill("input[name=paths]", "/health, /members");
            confirm(page, "Sample");
            page.waitForSelector(".action:has-text('Sample') [role=status]:has-text('done')");
            assertThat(tee.read("/v1/listeners/server/tee").at("/sample/paths"))
                    .extracting(JsonNode::asText)
                    .containsExactly("/health", "/members");

            confirm(page, "Record");
            page.waitForSelector("text=Recording: on");
            stage.get(tee, "/health/recorded");
            confirm(page, "Stop recording");
            page.waitForSelector("text=Recording: off");
            try (Stream<Path> files = Files.list(recordings)) {
                assertThat(files).singleElement().asString().endsWith(".understudy");
            }
        }
    }

    @Test
    @Order(2)
    void resync_beginsAnotherEpoch_whichIsListed() throws Exception {
        try (BrowserPage chromium = control()) {
            Page page = chromium.page();
            page.waitForSelector(".epochs li:has-text('start, done')");
            confirm(page, "Resync");
            page.waitForSelector(".epochs li:has-text('asked, done in')");
            assertThat(page.locator(".epochs li").count()).isEqualTo(2);
        }
    }

    @Test
    @Order(3)
    void settings_areSet_andAllReset() throws Exception {
        try (BrowserPage chromium = control()) {
            Page page = chromium.page();
            page.fill("input[name=setting]", "budget");
            page.fill("input[name=value]", "<b>3%");
            confirm(page, "Set");
            page.waitForSelector(".plain li:has-text('budget: \"<b>3%\"')");
            page.fill("input[name=setting]", "window.wanted");
            page.fill("input[name=value]", "10m");
            confirm(page, "Set");
            page.waitForSelector(".plain li:has-text('window.wanted: 10.0 min')");
            page.fill("input[name=setting]", "No setting");
            confirm(page, "Set");
            page.waitForSelector("#field-value-hint[role=alert]:has-text('No setting: no setting')");

            confirm(page, "Reset all");
            page.waitForSelector(".plain li:has-text('budget')", GONE);
            page.waitForSelector(".plain li:has-text('window.wanted')", GONE);
            assertThat(tee.read("/v1/orders").at("/orders/settings").isMissingNode())
                    .isTrue();
        }
    }

    @Test
    @Order(4)
    void patch_isAppliedFromFiles_andTakenBack() throws Exception {
        ConsoleAgent agent = stage.agent(tee);
        try (BrowserPage chromium = control()) {
            Page page = chromium.page();
            page.waitForSelector("text=The debug JVMs run their own classes.");
            assertThat(page.locator("button:text-is('Apply')").isDisabled()).isTrue();

            choose(page, "shop.class", "no class".getBytes(StandardCharsets.UTF_8));
            awaitRefusal(page, "shop.class: no class file");
            choose(page, "<b>shop.jar", "no jar".getBytes(StandardCharsets.UTF_8));
            awaitRefusal(page, "<b>shop.jar: no jar that can be read");
            choose(page, "shop.jar", jar(Map.of("readme.txt", new byte[1], "META-INF/A.class", new byte[1])));
            awaitRefusal(page, "There are no class files in it");
            choose(page, "Large.class", large());
            awaitRefusal(page, "Packed they are more than 4 MiB");
            assertThat(page.locator("button:text-is('Apply')").isDisabled()).isTrue();

            choose(page, "shop.jar", jar(Map.of("shop/Tariff.class", new byte[20])));
            page.waitForSelector("#field-patch-hint:has-text('shop.Tariff to apply')");
            confirm(page, "Apply");
            page.waitForSelector(
                    ".action [role=alert]:has-text('patch: shop/Tariff.class (expected: class files only')");

            byte[] own = bytesOf(ConsoleControlChecks.class);
            byte[] jar = jar(Map.of("shop/Tariff.class", own, "readme", own));
            page.setInputFiles(
                    "input[name=patch]",
                    new FilePayload[] {new FilePayload("shop.jar", "", jar), new FilePayload("Any.class", "", own)});
            page.waitForSelector(
                    "#field-patch-hint:has-text('2 classes (" + ConsoleControlChecks.class.getName() + ", …)')");
            confirm(page, "Apply");
            page.waitForSelector("text=No agent is there to follow it.");
            assertThat(tee.read("/v1/orders/patch").path("classes"))
                    .extracting(JsonNode::asText)
                    .containsExactly(ConsoleControlChecks.class.getName(), "shop.Tariff");
            String id = tee.read("/v1/orders/patch").path("id").asText();
            agent.follow("", "patch: <i>shop.Tariff has another field");
            page.waitForSelector(".patched .problem:has-text('patch: <i>shop.Tariff has another field')");
            page.waitForSelector("text=No debug JVM runs with it yet.");
            agent.follow(id, "");
            page.waitForSelector(".patched li:has-text('orders: " + id + ": 1 classes changed')");
            page.waitForSelector("text=0 of 0 differ with it");
            page.waitForSelector(".timeline li:has-text('PUT /v1/orders/patch')");
            chromium.assertAccessible();
            chromium.assertFitsAllWidths();

            confirm(page, "Take the patch back");
            page.waitForSelector("text=The debug JVMs run their own classes.");
            agent.follow("", "");
            page.waitForSelector(".patched li", GONE);
            page.waitForSelector(".epochs li:last-child:has-text('patched, done')");
            chromium.assertStaysAt(tee.control());
        }
    }

    @Test
    @Order(5)
    void operator_seesWhatOnlyAnAdminMayDo_andWhy() throws Exception {
        try (BrowserPage chromium = stage.chromium().dark()) {
            Page page = chromium.page();
            chromium.open(tee.control() + "/#/control");
            page.waitForSelector("button:text-is('Take the patch back')");
            page.waitForSelector(".epochs li");
            assertThat(page.textContent(".because")).contains("needs the role admin", "has operate");
            for (String action : new String[] {"Record", "Resync", "Apply"}) {
                Locator button = page.locator("main button:text-is('" + action + "')");
                assertThat(button.isDisabled()).as(action).isTrue();
                assertThat(button.getAttribute("title")).as(action).contains("needs the role admin");
            }
            assertThat(page.isDisabled("input[name=patch]")).isTrue();
            for (String action : new String[] {"Pause", "Off", "Set", "Reset all"}) {
                assertThat(page.isEnabled("main button:text-is('" + action + "')"))
                        .as(action)
                        .isTrue();
            }
            assertSound(chromium);
        }
    }

    @Test
    @Order(6)
    void overview_tellsWhatWasLost_andWhatHappened() throws Exception {
        stage.agent(tee).follow("", "");
        try (BrowserPage chromium = control()) {
            Page page = chromium.page();
            confirm(page, "Resync");
            page.waitForSelector(".epochs li:last-child:has-text('asked, done in')");
            confirm(page, "Pause");
            page.waitForSelector("text=Copying is paused");
            for (int n = 0; n < 60; n++) {
                stage.get(tee, "/health/" + "x".repeat(4_000));
            }
            stage.agent(tee).follow("", "");
            go(page, "Overview");
            page.waitForSelector(".plain.bad li:has-text('overflow lane, ')");
            page.waitForSelector(".timeline li.bad:has-text('overflow lane on 1 connection,')");
            page.waitForSelector(".card:has-text('Agents'):has-text('budget 2.0 % of a core, at most 5.0 %')");
            page.waitForSelector(".card:has-text('Agents'):has-text('for the <b>window')");
            assertThat(page.textContent(".card:has(h2:text-is('Window'))"))
                    .containsPattern("of 1\\.0 MiB, ")
                    .containsPattern("waiting, .* behind, overflow ")
                    .containsPattern("at most \\d+(\\.\\d)? % full and .*s behind so far");
            assertThat(page.textContent(".card:has(h2:text-is('Epoch'))"))
                    .contains("cause: asked; 0 of ")
                    .containsPattern("[1-9]\\d* overflows");
            assertThat(page.textContent(".timeline"))
                    .containsPattern("epoch \\d+ of \\S+, by asked: done")
                    .contains("copying is paused");
            assertSound(chromium);
            go(page, "Control");
            confirm(page, "On");
            page.waitForSelector("text=Copying is on");
        }
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void overview_goesOn_whenTheLaneProcessWasKilled() throws Exception {
        try (BrowserPage chromium = control()) {
            Page page = chromium.page();
            page.click("button.theme");
            page.waitForSelector("html[data-theme=light]");
            page.click("button.theme");
            page.waitForSelector("html[data-theme=dark]");
            assertThat(page.textContent("button.theme")).endsWith("dark");
            go(page, "Overview");
            page.waitForSelector(".plain.bad li");
            killLanes(tee);
            page.waitForSelector(".live.lost");

            page.waitForSelector(".live:not(.lost)");
            page.waitForSelector("text=Nothing is lost.");
            stage.get(tee, "/health/again");
            page.waitForSelector(".card:has(h2:text-is('Verdicts')) .figure:has-text('1 of server')");
            page.waitForSelector(".timeline");
            go(page, "Control");
            page.waitForSelector("text=Copying is ");
        }
    }

    private static BrowserPage control() throws Exception {
        BrowserPage chromium = stage.signedIn(stage.chromium().light(), tee, ConsoleStage.TOKEN);
        go(chromium.page(), "Control");
        chromium.page().waitForSelector("text=Copying is ");
        return chromium;
    }

    private static void choose(Page page, String name, byte[] bytes) {
        page.setInputFiles("input[name=patch]", new FilePayload(name, "", bytes));
    }

    private static void awaitRefusal(Page page, String text) {
        page.waitForSelector("#field-patch-hint[role=alert]:has-text('" + text + "')");
    }

    private static byte[] bytesOf(Class<?> type) throws IOException {
        try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(type.getSimpleName() + ".class"))) {
            return in.readAllBytes();
        }
    }

    /** A class file, and much behind it that can't be packed. */
    private static byte[] large() throws IOException {
        byte[] own = bytesOf(ConsoleControlChecks.class);
        byte[] large = new byte[(4 << 20) + (1 << 16)];
        new Random(1).nextBytes(large);
        System.arraycopy(own, 0, large, 0, own.length);
        return large;
    }

    private static byte[] jar(Map<String, byte[]> files) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> file : new TreeMap<>(files).entrySet()) {
                out.putNextEntry(new ZipEntry(file.getKey()));
                out.write(file.getValue());
                out.closeEntry();
            }
        }
        return bytes.toByteArray();
    }
}

package dev.understudy.it.console;

import com.microsoft.playwright.Page;
import dev.understudy.it.stage.BrowserPage;
import dev.understudy.it.stage.TeeStage;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is seen at a glance: the system with its figures, the story, what upstreams have, and where replies part. */
abstract class ConsoleOverviewChecks extends ConsoleChecks {
    @Test
    void picture_hasAllParts_withWhatTheyDoNow() throws Exception {
        calls.join();
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            page.waitForSelector(".node.upstreams a:has-text('numbers: 2 recorded, 1 missed')");
            assertThat(page.textContent(".node.debug")).contains("debug: ", " connection");
            stage.get("/parts/1");
            stage.get("/health/90");
            for (String side : List.of("production", "debug")) {
                String answers = page.waitForSelector(".node." + side + " .line:has(.bad)")
                        .textContent();
                assertThat(answers).matches("[0-9.]+ m?s / [0-9.]+ m?s, [1-9][0-9.]* % errors");
            }
            assertSound(chromium);
        }
    }

    /** Else the picture moves under whoever is about to choose something. */
    @Test
    void picture_hasThePlaceOfUpstreams_beforeTheyAreKnown() throws Exception {
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            page.route("**/v1/upstreams?limit=1", route -> {}); // the answer is on its way
            page.reload();

            page.waitForSelector(".node.upstreams:has-text('Loading …')");
            assertSound(chromium);
        }
    }

    @Test
    void alert_isPartOfTheStory() throws Exception {
        String alert = "{\"rule\":\"slow <b>orders\",\"why\":\"p99 over 2 s, password=hunter2\",\"trace\":\"\"}";
        assertThat(stage.control("/v1/alerts", alert).statusCode()).isEqualTo(200);
        for (String wrong : List.of("7", "\"" + "x".repeat(501) + "\"")) {
            assertThat(stage.control("/v1/alerts", "{\"rule\":" + wrong + "}").statusCode())
                    .isEqualTo(400);
        }
        assertThat(folder.resolve("sidecar.log")).content().doesNotContain("hunter2");
        try (BrowserPage chromium = stage.signedIn(stage.chromium().dark())) {
            Page page = chromium.page();
            page.waitForSelector(".timeline li.bad:has-text('slow <b>orders: p99 over 2 s')");
            assertThat(page.textContent(".timeline")).doesNotContain("hunter2", "POST /v1/alerts");
            assertSound(chromium);
        }
    }

    @Test
    void upstreams_showWhatWasRecorded_andNotAskedFor() throws Exception {
        calls.join();
        try (BrowserPage chromium = stage.signedIn(stage.chromium().light())) {
            Page page = chromium.page();
            go(page, "Upstreams");
            page.waitForSelector("table.recorded tr:has-text('GET /stock/2')");
            assertThat(page.locator("table.recorded tbody tr").allTextContents())
                    .singleElement()
                    .asString()
                    .contains("numbers", " ms");
            assertSound(chromium);
        }
    }

    @Test
    void replies_foldWhatIsEqual_andSayWhatNoiseMeans() throws Exception {
        TeeStage tee = stage.openTee(Files.createDirectory(folder.resolve("lists")), "control.anonymous=read");
        stage.get(tee, "/lists/1");
        try (BrowserPage chromium = stage.chromium().dark()) {
            Page page = chromium.page();
            chromium.open(tee.control() + "/#/exchanges");
            page.click("a.cells:has-text('GET /lists/1')");
            page.waitForSelector(".replies .differs:has-text('18')");
            assertThat(page.textContent(".replies")).contains("\"n39\" : 39").doesNotContain("\"n20\" : 20");
            assertThat(page.textContent(".noise-words")).contains("date header", "Both sides say when they answered");
            assertSound(chromium);

            page.locator(".folded button").last().click();
            page.waitForSelector(".replies:has-text('\"n20\" : 20')");
            assertSound(chromium);
        }
    }
}

package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

final class ReportCommandTest {
    @TempDir
    Path folder;

    @Test
    void report_ofASession_saysWhatDiffers_inAllForms() throws Exception {
        try (RunningSidecar sidecar =
                RunningSidecar.open(folder, ReportCommandTest::production, ReportCommandTest::debug)) {
            for (int i = 0; i < 12; i++) {
                sidecar.get("/orders/" + i + "?token=topsecret");
                sidecar.get("/health");
            }
            awaitAnswers(sidecar, 24);
            Path html = folder.resolve("report.html");
            Path json = folder.resolve("report.json");
            Path junit = folder.resolve("report.xml");

            Ran ran = Ran.run(
                    "report",
                    "--url",
                    sidecar.controlUrl(),
                    "--html",
                    "" + html,
                    "--json",
                    "" + json,
                    "--junit",
                    "" + junit);

            assertThat(ran.code()).as(ran.err() + ran.out()).isEqualTo(1);
            assertThat(ran.out())
                    .contains(
                            "shop → ",
                            "same answers on 12 of 24, 12 differ: GET /orders/{n} (",
                            "body.cents",
                            "median ")
                    .contains("failed: different: shop → ", "12 of 24 differ");
            for (Path written : List.of(html, json, junit)) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(written)))
                        .isEqualTo("rw-------");
            }
            String page = Files.readString(html);
            assertThat(page)
                    .contains(
                            "12 differ", "faithful: 24 of 24 exchanges", "GET /health", "&lt;", "script", "BODY_LENGTH")
                    .contains("curl -g --path-as-is -i -X GET", "<svg", "polyline", "No agent has told")
                    .containsPattern("p(=|&lt;)0[.]")
                    .doesNotContain("<script", "src=", "href=", "hunter-", "topsecret");
            JsonNode told = new ObjectMapper().readTree(json.toFile());
            assertThat(told.at("/copies/0/verdicts/DIFFERENT").asInt()).isEqualTo(12);
            assertThat(told.at("/copies/0/firstCauses/0/cause/count").asInt()).isEqualTo(12);
            assertThat(told.at("/copies/0/routes/0/speed/mannWhitney/p").isNumber())
                    .isTrue();
            assertThat(told.toString()).doesNotContain("hunter-", "topsecret");
            Document xml =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(junit.toFile());
            assertThat(attributes(xml, "testcase", "name"))
                    .containsExactly("different", "nothing", "GET /health", "GET /orders/{n}");
            assertThat(attributes(xml, "testsuite", "failures")).containsExactly("1", "1");
            assertThat(xml.getElementsByTagName("failure").item(1).getTextContent())
                    .contains("body.cents: production 1250, debug \"<script>alert(1)</script>\"")
                    .doesNotContain("hunter-");
        }
    }

    @Test
    void exitCode_isByTheRules() throws Exception {
        try (RunningSidecar sidecar =
                RunningSidecar.open(folder, ReportCommandTest::production, ReportCommandTest::debug)) {
            assertThat(report(sidecar).out()).contains("failed: nothing: ", "no exchange was compared");
            sidecar.get("/orders/1");
            for (int i = 0; i < 9; i++) {
                sidecar.get("/health");
            }
            awaitAnswers(sidecar, 10);

            assertThat(report(sidecar, "--fail-on", "different>1").code()).isZero();
            assertThat(report(sidecar, "--fail-on", "different>10%,lost,calls,nothing,not-compared")
                            .code())
                    .isZero();
            assertThat(report(sidecar, "--fail-on", "different>9.9%").out())
                    .contains("failed: different>9.9%: ", "1 of 10 differ");
            assertThat(report(sidecar, "--debug", "nobody").err()).contains("no debug JVM is called nobody");
            Ran wrong = report(sidecar, "--fail-on", "differences");
            assertThat(wrong.code()).isEqualTo(2);
            assertThat(wrong.err()).contains("differences (expected: different, not-compared");
            assertThat(report(
                            sidecar,
                            "--html",
                            folder.resolve("none/report.html").toString()))
                    .returns(2, Ran::code)
                    .extracting(Ran::err)
                    .asString()
                    .contains("couldn't be written");
        }
    }

    @Test
    void replay_thatIsNamed_showsTheDivergenceAgain() throws Exception {
        try (RunningSidecar sidecar =
                RunningSidecar.open(folder, ReportCommandTest::production, ReportCommandTest::debug)) {
            Ran.run("record", "start", "shop", "--url", sidecar.controlUrl());
            sidecar.get("/orders/1");
            awaitAnswers(sidecar, 1);
            Ran.run("record", "stop", "shop", "--url", sidecar.controlUrl());
            await().until(() -> Ran.run("record", "status", "shop", "--url", sidecar.controlUrl())
                    .out()
                    .contains("off, "));
            Path json = folder.resolve("report.json");
            report(sidecar, "--json", json.toString());
            JsonNode lines = new ObjectMapper().readTree(json.toFile()).at("/copies/0/firstCauses/0/reproduce");
            String replay = lines.get(lines.size() - 1).asText();

            assertThat(replay).startsWith("understudy replay '");
            Ran again = Ran.run(
                    List.of(replay.replace("'", "").split(" ")).subList(1, 7).toArray(String[]::new));

            assertThat(again.code()).as(again.err()).isEqualTo(1);
            assertThat(again.out()).contains("cents", "1 DIFFERENT");
        }
    }

    @Test
    void report_ofNobody_is2() throws Exception {
        try (ControlStub other = new ControlStub(path -> "{}")) {
            Ran ran = Ran.run("report", "--url", other.url());
            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).startsWith("understudy report: ");
        }
        assertThat(Ran.run("report", "--url", "http://127.0.0.1:1").err()).contains("nobody answers");
        assertThat(Ran.run("report", "--help").out()).contains("p99>N%", "--junit=FILE", "Exit codes:");
    }

    private static String production(String path) {
        return "{\"path\":\"" + path + "\",\"cents\":1250,\"password\":\"hunter-production\"}";
    }

    private static String debug(String path) {
        return path.contains("/orders/")
                ? "{\"path\":\"" + path + "\",\"cents\":\"<script>alert(1)</script>\",\"password\":\"hunter-debug\"}"
                : production(path);
    }

    private static void awaitAnswers(RunningSidecar sidecar, int count) {
        await().until(() -> {
            JsonNode status = new ObjectMapper()
                    .readTree(Ran.run("status", "--json", "--url", sidecar.controlUrl())
                            .out());
            int all = 0;
            for (JsonNode one : status.at("/listeners/0/verdicts")) {
                all += one.asInt();
            }
            return all == count;
        });
    }

    private static Ran report(RunningSidecar sidecar, String... more) {
        String[] all = new String[more.length + 3];
        all[0] = "report";
        all[1] = "--url";
        all[2] = sidecar.controlUrl();
        System.arraycopy(more, 0, all, 3, more.length);
        return Ran.run(all);
    }

    private static List<String> attributes(Document xml, String tag, String name) {
        return IntStream.range(0, xml.getElementsByTagName(tag).getLength())
                .mapToObj(i -> ((Element) xml.getElementsByTagName(tag).item(i)).getAttribute(name))
                .toList();
    }
}

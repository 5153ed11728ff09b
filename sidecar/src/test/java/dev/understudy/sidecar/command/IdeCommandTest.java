package dev.understudy.sidecar.command;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

import static org.assertj.core.api.Assertions.assertThat;

final class IdeCommandTest {
    private static final String NOBODY = "http://127.0.0.1:1";
    private static final JsonMapper LENIENT = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    @TempDir
    Path folder;

    @Test
    void configurations_areWritten_andReadByBothIdes() throws Exception {
        Ran ran = write("--address", "10.0.0.7:6006", "--name", "Orders copy");

        assertThat(ran.out()).contains("written: ", "-agentlib:jdwp=", "address=127.0.0.1:6006", "No advice: ");
        assertThat(ran.code()).as("no sidecar").isEqualTo(1);
        Document run = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(folder.resolve(".run/Orders copy.run.xml").toFile());
        assertThat(run.getElementsByTagName("option")
                        .item(3)
                        .getAttributes()
                        .getNamedItem("value")
                        .getNodeValue())
                .isEqualTo("10.0.0.7");
        JsonNode launch = LENIENT.readTree(launch().toFile()).at("/configurations/0");
        assertThat(launch.path("request").asText()).isEqualTo("attach");
        assertThat(launch.path("hostName").asText()).isEqualTo("10.0.0.7");
        assertThat(launch.path("port").asInt()).isEqualTo(6006);
        assertThat(files()).as("no temporary file is left").hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ // mine\n \"version\": \"0.2.0\",\n \"configurations\": [\n  {\"name\": \"a\"}, /* , */ ] }",
                "{\"configurations\":[{\"name\":\"a\"}],\"inputs\":[{\"configurations\":[]}]}",
                "{\"compounds\":[],\"configurations\":[{\"x\":{\"name\":\"Understudy debug JVM\"},"
                        + "\"name\":\"a\"} // , last\n]}",
                "{\"configurations\": []}",
            })
    void whatStandsInLaunchJson_staysAsItIsWritten(String before) throws Exception {
        Files.createDirectories(launch().getParent());
        Files.writeString(launch(), before);

        write();
        String after = Files.readString(launch());
        JsonNode merged = LENIENT.readTree(after);
        List<String> names = merged.path("configurations").findValuesAsText("name");
        assertThat(names).endsWith("Understudy debug JVM");
        assertThat(merged.path("configurations").size())
                .isEqualTo(LENIENT.readTree(before).path("configurations").size() + 1);
        assertThat(letters(after)).as("in its order").containsSubsequence(letters(before));

        write("--address", "127.0.0.1:7007");
        JsonNode again = LENIENT.readTree(launch().toFile());
        assertThat(again.path("configurations").size())
                .as("its own is replaced")
                .isEqualTo(merged.path("configurations").size());
        assertThat(Files.readString(launch()).replace("7007", "5005")).isEqualTo(after);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"configurations\": [",
                "[]",
                "{\"configurations\": {}}",
                "{} {}",
                "nonsense",
                "{\"configurations\": [}]",
            })
    void launchJson_thatCantBeRead_isLeft(String before) throws Exception {
        Files.createDirectories(launch().getParent());
        Files.writeString(launch(), before);

        Ran ran = write();
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("launch.json", "left as it is");
        assertThat(Files.readString(launch())).isEqualTo(before);
        assertThat(files()).as("nor is the other one written").hasSize(1);
    }

    @Test
    void hugeNesting_isRefused() throws Exception {
        Files.createDirectories(launch().getParent());
        Files.writeString(launch(), "{\"configurations\": " + "[".repeat(100_000));
        assertThat(write().code()).isEqualTo(2);
    }

    @Test
    void runConfiguration_ofSomebodyElse_isLeft() throws Exception {
        Path run = folder.resolve(".run/Understudy debug JVM.run.xml");
        Files.createDirectories(run.getParent());
        Files.writeString(run, "<component name=\"x\"/>");

        Ran ran = write();
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("something else stands there", "--name");
        assertThat(Files.readString(run)).isEqualTo("<component name=\"x\"/>");

        Files.delete(run);
        write();
        assertThat(write("--address", "5006").code()).as("its own is replaced").isEqualTo(1);
        assertThat(Files.readString(run)).contains("5006").doesNotContain("5005");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host", "host:0", "host:70000", "a b:5005", "\"x\":5005", ":5005"})
    void addresses_areChecked(String address) {
        Ran ran = Ran.run("ide", "--url", NOBODY, "--address", address);
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("expected");
    }

    @Test
    void names_haveNothingThatAFileOrXmlWouldRead() {
        for (String name : new String[] {"../x", "a\"b", "a<b", "", "a/b", ".x"}) {
            assertThat(Ran.run("ide", "--url", NOBODY, "--name", name).code()).isEqualTo(2);
        }
    }

    @Test
    void advice_isTheSidecars() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            Ran ran = Ran.run("ide", "--url", sidecar.controlUrl());
            assertThat(ran.code()).isZero();
            assertThat(ran.out())
                    .contains("the window is 0 % full", "nothing arrives", "window.reply-timeout", "thread only")
                    .contains("type=\"Remote\"", "\"type\": \"java\"");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 'the window is 25 % full; if it stops now, input is lost after 0.0 s.'",
        "4500, 'the window is 25 % full; if it stops now, input is lost after 4.5 s.'",
        "64200, 'the window is 25 % full; if it stops now, input is lost after 64 s.'",
        "600000, 'the window is 25 % full; if it stops now, input is lost after 10 min.'",
        "14400000, 'the window is 25 % full; if it stops now, input is lost after 4 h.'",
        "-1, 'the window is 25 % full; next to nothing arrives, so a stop costs nothing yet.'",
    })
    void advice_saysWhenTheWindowIsFull(long stopMillis, String said) throws Exception {
        String status = "{\"windows\":[{\"debug\":\"d1\",\"utilisation\":0.25,\"stopMillis\":" + stopMillis
                + ",\"replyTimeoutMillis\":30000}]}";
        try (ControlStub port = new ControlStub(path -> path.equals("/v1/status") ? status : null)) {
            Ran ran = Ran.run("ide", "--url", port.url());

            assertThat(ran.code()).isZero();
            assertThat(ran.out().lines())
                    .contains("d1: " + said)
                    .contains("  A request that stands still for 30 s (window.reply-timeout) isn't compared.");
        }
    }

    private Ran write(String... more) {
        List<String> all = new ArrayList<>(List.of("ide", "--url", NOBODY, "--write", folder.toString()));
        all.addAll(List.of(more));
        return Ran.run(all.toArray(String[]::new));
    }

    private Path launch() {
        return folder.resolve(".vscode/launch.json");
    }

    private List<Path> files() throws Exception {
        try (var all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private static List<String> letters(String text) {
        return text.replaceAll("\\s", "").chars().mapToObj(Character::toString).toList();
    }
}

package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The log of a sidecar in a process of its own, since a process chooses its log's format once. */
final class LogFormatTest {
    @TempDir
    Path folder;

    @Test
    void json_isOneObjectALine_withKeys() throws Exception {
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners: [{name: shop, listen: '127.0.0.1:0', production: 127.0.0.1:1, debug: 127.0.0.1:2}]
                control: {listen: '127.0.0.1:0', token: 'break a leg'}
                drain: 100ms
                """);
        Process sidecar = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "sidecar",
                        "--log-format",
                        "json",
                        "--config",
                        settings.toString())
                .redirectError(folder.resolve("log").toFile())
                .start();
        try (BufferedReader out = sidecar.inputReader(StandardCharsets.UTF_8)) {
            String ready = out.readLine();
            assertThat(ready).startsWith("understudy sidecar ready: ");
            String url = "http://" + ready.substring(ready.indexOf("control=") + "control=".length());
            assertThat(Ran.run("tee", "shop", "off", "--url", url, "--token", "break a leg")
                            .code())
                    .isZero();
            sidecar.destroy();
            assertThat(sidecar.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            sidecar.destroyForcibly();
        }

        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("log"))) {
            lines.add(new ObjectMapper().readTree(line));
        }
        assertThat(lines)
                .anySatisfy(line -> assertThat(line.get("message").asText()).isEqualTo("listener shop: the tee is off"))
                .allSatisfy(line ->
                        assertThat(line.fieldNames()).toIterable().startsWith("time", "level", "logger", "message"));
        assertThat(lines.stream().filter(line -> line.path("listener").asText().equals("shop")))
                .isNotEmpty();
        assertThat(Files.readString(folder.resolve("log"))).doesNotContain("break a leg");
    }

    @Test
    void otherFormats_are2() {
        Ran ran = Ran.run("sidecar", "--log-format", "xml");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("--log-format", "xml");
    }
}

package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.sidecar.SidecarProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The log of a sidecar in a process of its own, since a process chooses its log's format once. */
final class LogFormatTest {
    @TempDir
    Path folder;

    @Tag("process")
    @Test
    void json_isOneObjectALine_withKeys() throws Exception {
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners: [{name: shop, listen: '127.0.0.1:0', production: 127.0.0.1:1, debug: 127.0.0.1:2}]
                control: {listen: '127.0.0.1:0', token: 'break a leg'}
                drain: 100ms
                """);
        try (SidecarProgram sidecar =
                SidecarProgram.start(settings, program -> program.command().addAll(List.of("--log-format", "json")))) {
            String url = "http://" + sidecar.address("control");
            assertThat(Ran.run("tee", "shop", "off", "--url", url, "--token", "break a leg")
                            .code())
                    .isZero();
            sidecar.terminate();
            assertThat(sidecar.process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }

        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("log"))) {
            lines.add(new ObjectMapper().readTree(line));
        }
        assertThat(lines)
                .anySatisfy(line -> assertThat(line.get("message").asText()).isEqualTo("listener shop: the tee is off"))
                .allSatisfy(line ->
                        assertThat(line.fieldNames()).toIterable().startsWith("time", "level", "logger", "message"));
        assertThat(lines).anySatisfy(line -> {
            assertThat(line.get("logger").asText()).isEqualTo("understudy.audit");
            assertThat(line.path("by").asText()).isEqualTo("admin");
            assertThat(line.path("role").asText()).isEqualTo("admin");
            assertThat(line.path("order").asText()).isEqualTo("PUT /v1/listeners/shop/tee");
            assertThat(line.path("status").asInt()).isEqualTo(200);
        });
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

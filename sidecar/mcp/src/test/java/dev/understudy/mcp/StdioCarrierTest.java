package dev.understudy.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.mcp.carrier.MessageDispatcher;
import dev.understudy.mcp.carrier.StdioCarrier;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Lines in, lines out, whatever the lines are. */
final class StdioCarrierTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}";

    @TempDir
    Path folder;

    @Test
    void malformedLines_areAnsweredWithErrors_andTheNextOneIsServed() throws Exception {
        String deep = "[".repeat(100_000);
        List<JsonNode> answers = exchange(
                "nonsense", "[1,2]", "{\"id\":1}", deep, "x".repeat(MessageDispatcher.LONGEST + 1), "", "\r", PING);

        assertThat(answers).hasSize(6);
        assertThat(answers).filteredOn(answer -> answer.has("error")).hasSize(5);
        assertThat(answers)
                .filteredOn(answer -> answer.has("result"))
                .singleElement()
                .satisfies(answer -> assertThat(answer.path("id").asInt()).isEqualTo(7));
    }

    @Test
    void unknownTools_areErrors_withoutControlCharacters() throws Exception {
        List<JsonNode> answers = exchange("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/call\",\"params\":"
                + "{\"name\":\"\\u001b[31m" + "x".repeat(50_000) + "\",\"arguments\":{}}}");

        assertThat(answers).singleElement().satisfies(answer -> {
            assertThat(answer.path("error").path("message").asText())
                    .isNotEmpty()
                    .hasSizeLessThan(1_100)
                    .doesNotContain("\u001b");
            assertThat(answer.toString()).hasSizeLessThan(3_000);
        });
    }

    @Test
    void damagedMessages_neverEndTheServer() throws Exception {
        long seed = 20_261_126;
        Random random = new Random(seed);
        String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"exchanges\","
                + "\"arguments\":{\"limit\":5}}}";
        String[] lines = new String[201];
        for (int n = 0; n < 200; n++) {
            StringBuilder damaged = new StringBuilder(call);
            for (int times = 1 + random.nextInt(4); times > 0; times--) {
                int at = random.nextInt(damaged.length());
                damaged.setCharAt(at, (char) (32 + random.nextInt(95)));
            }
            lines[n] = damaged.toString();
        }
        lines[200] = PING;

        assertThat(exchange(lines)).as("seed " + seed).anySatisfy(answer -> {
            assertThat(answer.path("id").asInt()).isEqualTo(7);
            assertThat(answer.has("result")).isTrue();
        });
    }

    private List<JsonNode> exchange(String... lines) throws IOException, InterruptedException {
        try (McpStage stage = new McpStage(folder)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] in = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
            new StdioCarrier(stage.dispatcher(McpStage.READER), new ByteArrayInputStream(in), out).run();
            List<JsonNode> answers = new ArrayList<>();
            for (String line : out.toString(StandardCharsets.UTF_8).split("\n", -1)) {
                if (!line.isEmpty()) {
                    answers.add(JSON.readTree(line));
                }
            }
            return answers;
        }
    }
}

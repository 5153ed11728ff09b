package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class AgentReportsTest {
    private static final int ROOM = 100_000;

    private final ObjectMapper json = new ObjectMapper();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AgentReports reports =
            new AgentReports(() -> {}, () -> {}, new AgentMeters(registry, System::nanoTime), ROOM);

    @Test
    void lastReportOfEachAgent_isReadAsItWasSent() throws Exception {
        post("{\"name\":\"a\",\"spent\":0.1}");
        post("{\"name\":\"b\", \"text\" : \"ü \\u0000 \\\"\", \"deep\":[[{}],1e300,null]}");
        post("{\"name\":\"a\",\"spent\":0.2}");

        assertThat(read().toString())
                .isEqualTo("{\"agents\":[{\"name\":\"b\",\"text\":\"ü \\u0000 \\\"\",\"deep\":[[{}],1.0E300,null]},"
                        + "{\"name\":\"a\",\"spent\":0.2}]}");
        assertThat(reports.names()).containsExactly("b", "a");
        assertThat(reports.fresh(report -> report.path("spent").asDouble())).containsExactly(0.0, 0.2);
    }

    @Test
    void whatAViewMakesOfAReport_isMadeOnce() throws Exception {
        int[] made = new int[1];
        Function<JsonNode, String> reader = report -> report.path("name").asText() + ++made[0];
        post("{\"name\":\"a\"}");
        reports.fresh(reader);
        assertThat(reports.fresh(reader)).containsExactly("a1");
        post("{\"name\":\"b\"}");
        assertThat(reports.fresh(reader)).containsExactly("a1", "b2");
        post("{\"name\":\"a\"}");
        assertThat(reports.fresh(reader)).containsExactlyInAnyOrder("a3", "b2");
    }

    @Test
    void reportInAnotherCharset_isReadLikeOthers() throws Exception {
        post("{\"name\":\"ü\"}", StandardCharsets.UTF_16BE);

        assertThat(read().at("/agents/0/name").asText()).isEqualTo("ü");
    }

    @Test
    void reportsOfManyTokens_areRefused() {
        String arrays = "[" + "[],".repeat(300_000) + "[]]";

        assertThatThrownBy(() -> post("{\"name\":\"a\",\"x\":" + arrays + "}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Token count");
        assertThat(reports.names()).isEmpty();
    }

    @Test
    void whatFollowsAReport_isRefused() {
        assertThatThrownBy(() -> post("{\"name\":\"a\"}, {\"name\":\"b\"}"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void reportsTogether_haveABound_beyondWhichTheEldestAreForgotten() throws Exception {
        String text = "x".repeat(30_000);
        for (int n = 0; n < 10; n++) {
            post("{\"name\":\"a" + n + "\",\"text\":\"" + text + "\"}");
        }
        assertThat(reports.names()).containsExactly("a7", "a8", "a9");
        assertThat(registry.find("understudy.agent.up").gauges()).hasSize(3);

        for (int n = 0; n < 10; n++) {
            post("{\"name\":\"a9\",\"text\":\"" + text + "\"}");
        }
        assertThat(reports.names()).as("in its own place").containsExactly("a7", "a8", "a9");
        post("{\"name\":\"large\",\"text\":\"" + "x".repeat(2 * ROOM) + "\"}");
        assertThat(reports.names()).containsExactly("large");
        assertThat(json.writeValueAsBytes(read())).hasSizeGreaterThan(2 * ROOM);
    }

    @Test
    void nameThatIsNone_isRefused() {
        for (String name : new String[] {"", "\"\"", "7", "\"" + "n".repeat(201) + "\""}) {
            String body = name.isEmpty() ? "{}" : "{\"name\":" + name + "}";
            assertThatThrownBy(() -> post(body)).hasMessageContaining("expected: the agent's name");
        }
        post("{\"name\":\"" + "n".repeat(200) + "\"}");
        assertThat(reports.names()).hasSize(1);
    }

    @Test
    void sharedProfile_hasABound() throws Exception {
        StringBuilder methods = new StringBuilder();
        for (int n = 0; n < 20_000; n++) {
            methods.append(n == 0 ? "" : ",").append("{\"method\":").append(n).append('}');
        }
        AgentReports roomy = new AgentReports(() -> {}, () -> {}, new AgentMeters(registry, System::nanoTime));
        roomy.post(call("{\"name\":\"a\",\"methods\":[" + methods + "]}", StandardCharsets.UTF_8));

        JsonNode shared = json.readTree(Reply.json(roomy.read(true)).body()).path("shared");
        assertThat(shared.path("methods").size()).isEqualTo(SharedProfile.MOST_METHODS);
    }

    private JsonNode read() throws Exception {
        return json.readTree(Reply.json(reports.read(false)).body());
    }

    private void post(String report) {
        post(report, StandardCharsets.UTF_8);
    }

    private void post(String report, Charset charset) {
        reports.post(call(report, charset));
    }

    private static Call call(String report, Charset charset) {
        return new Call("/v1/agent", Map.of(), "application/json", report.getBytes(charset));
    }
}

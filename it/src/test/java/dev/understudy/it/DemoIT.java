package dev.understudy.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.ScriptedAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("any-jdk")
class DemoIT {
    private static final Pattern FOLDER = Pattern.compile("logs and settings +(\\S+)");

    private static final Pattern CONTROL = Pattern.compile("understudy console --url (\\S+)");
    private static final String GUILTY = "dev.understudy.example.orders.ordering.Discounts#lineTotal";

    private static final Duration PATIENCE = Duration.ofMinutes(6);

    @TempDir
    Path folder;

    @Test
    void demo_holdsItsInvariants_andAScriptedAgentFindsItsDefect_andNothingIsLeftBehind() throws Exception {
        Path json = folder.resolve("report.json");
        try (Child demo = start("--requests", "1500", "--json", json.toString(), "--keep")) {
            await().atMost(PATIENCE)
                    .until(() -> demo.output().contains("Ctrl-C stops")
                            || !demo.process().isAlive());
            assertThat(demo.output())
                    .contains("All invariants held, and the defect was found.")
                    .contains("10 pieces of 6137 cents each, less the discount: 58300")
                    .as("a build of its own")
                    .doesNotContain("mvn ");
            JsonNode report = new ObjectMapper().readTree(json.toFile());
            assertThat(report.path("checks").size()).isGreaterThan(10);
            for (JsonNode check : report.path("checks")) {
                assertThat(check.path("held").asBoolean())
                        .as(check + "\n" + demo.output())
                        .isTrue();
            }
            Matcher stage = FOLDER.matcher(demo.output());
            Matcher control = CONTROL.matcher(demo.output());
            assertThat(stage.find() && control.find()).as(demo.output()).isTrue();
            try (ScriptedAgent agent = ScriptedAgent.start(control.group(1), folder, "examples/orders/src/main/java")) {
                findDefect(agent);
            }
            List<ProcessHandle> parts = demo.process().descendants().toList();

            interrupt(demo);

            assertThat(demo.exitCode(PATIENCE)).isEqualTo(130);
            assertThat(parts).hasSizeGreaterThan(5).noneMatch(ProcessHandle::isAlive);
            assertThat(Files.exists(Path.of(stage.group(1)))).isFalse();
        }
    }

    /** Both builds have it: the agent sees that they agree, who goes with the failures, and what is wrong there. */
    private static void findDefect(ScriptedAgent agent) throws Exception {
        JsonNode suspects = agent.call("suspects", Map.of());
        assertThat(suspects.toString()).contains(GUILTY);
        assertThat(agent.call("source", Map.of("method", GUILTY)).path("lines").toString())
                .contains("discounted(unitCents, percent) * quantity");
        JsonNode failure = agent.call("exchanges", Map.of("text", "POST /orders", "status", "422", "limit", 1))
                .at("/exchanges/0");
        assertThat(failure.path("kind").asText()).as(failure.toString()).isEqualTo("SAME");
        Map<String, Object> which = Map.of("exchange", failure.path("exchange").asLong());
        assertThat(agent.call("exchange", which).at("/copy/status").asInt()).isEqualTo(422);
    }

    @Test
    void unknownOption_endsWithCodeTwoAndTheUsage() throws Exception {
        try (Child demo = Child.start(folder.resolve("demo.log"), List.of("./understudy", "demo", "--requsts", "1"))) {
            assertThat(demo.exitCode(PATIENCE)).isEqualTo(2);
            assertThat(demo.output()).contains("--requests");
        }
    }

    private Child start(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of("./understudy", "demo"));
        command.addAll(List.of(options));
        return Child.start(folder.resolve("demo.log"), command);
    }

    private static void interrupt(Child child) throws Exception {
        new ProcessBuilder("kill", "-INT", String.valueOf(child.process().pid()))
                .start()
                .waitFor();
    }
}

package dev.understudy.agent.value;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is masked by name is masked by agent, sidecar and aggregator alike; the agent has none of their classes. */
@Tag("any-jdk")
final class FieldNamesTest {
    @Test
    void theAgentFindsNames_asSidecarAndAggregatorDo() throws IOException {
        assertThat(ours("SecretFieldNames")).isEqualTo(theirs("FieldNames").replace("FieldNames", "SecretFieldNames"));
    }

    @Test
    void values_endAsThere_butAtTheBracesThatTheAgentPutsAroundObjects() throws IOException {
        assertThat(ours("SecretAssignment"))
                .isEqualTo(theirs("AssignedValue")
                        .replace("AssignedValue", "SecretAssignment")
                        .replace("ENDS = \"&,;<>\\\"'\"", "ENDS = \"&,;<>\\\"'{}\""));
    }

    private static String ours(String name) throws IOException {
        return Files.readString(Path.of("src/main/java/dev/understudy/agent/value", name + ".java"));
    }

    private static String theirs(String name) throws IOException {
        Path file = Path.of("..", "divergence", "src/main/java/dev/understudy/divergence/mask", name + ".java");
        return Files.readString(file).replace("dev.understudy.divergence.mask", "dev.understudy.agent.value");
    }
}

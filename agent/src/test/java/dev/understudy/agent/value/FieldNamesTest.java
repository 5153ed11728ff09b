package dev.understudy.agent.value;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class FieldNamesTest {
    @Test
    void theAgentFindsNames_asSidecarAndAggregatorDo() throws IOException {
        String theirs = Files.readString(
                Path.of("..", "divergence", "src/main/java/dev/understudy/divergence/mask/FieldNames.java"));
        String ours = Files.readString(Path.of("src/main/java/dev/understudy/agent/value/FieldNames.java"));

        assertThat(ours).isEqualTo(theirs.replace("dev.understudy.divergence.mask", "dev.understudy.agent.value"));
    }
}

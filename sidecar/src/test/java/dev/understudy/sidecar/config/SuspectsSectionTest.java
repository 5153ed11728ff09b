package dev.understudy.sidecar.config;

import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The settings of the ranking of suspects. */
final class SuspectsSectionTest {
    private static final String HTTP =
            "listeners: [{name: a, listen: 127.0.0.1:0, production: 127.0.0.1:8081, protocol: http}]\n";

    @TempDir
    Path folder;

    @Test
    void aRuleThatNoListenersExchangesCanMatch_isRefused() {
        for (String rule : List.of(":1 EXISTS gone:*", "23505 INSERT INTO users*", "ERROR* tcp get")) {
            assertThatThrownBy(() -> read(HTTP + "suspects: {also: ['" + rule + "']}\n"))
                    .as(rule)
                    .hasMessageContaining("also: " + rule + " (expected: a rule for the protocol of a listener");
        }
    }

    @Test
    void aRuleForAListenersProtocol_isTaken() throws Exception {
        assertThat(read(HTTP + "suspects: {also: ['* GET /a', 'grpc:13 POST /a', '404 GET /b']}\n")
                        .suspects()
                        .also())
                .hasSize(3);
        assertThat(read(HTTP.replace("http}", "redis}") + "suspects: {also: [':1 EXISTS gone:*', '* GET a']}\n")
                        .suspects()
                        .also())
                .hasSize(2);
    }

    @Test
    void observationsAreRecorded_onlyIntoADirectory() throws Exception {
        assertThatThrownBy(() -> read(HTTP + "record: {observations: true}\n"))
                .hasMessageContaining("observations: true (expected: a directory beside it)");
        assertThat(read(HTTP + "record: {directory: /tmp/r, observations: true}\n")
                        .record()
                        .observations())
                .isTrue();
    }

    private SidecarConfig read(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), text);
        Problems problems = new Problems();
        return SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems);
    }
}

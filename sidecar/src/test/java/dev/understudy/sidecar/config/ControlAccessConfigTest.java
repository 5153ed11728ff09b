package dev.understudy.sidecar.config;

import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.control.access.AccessToken;
import dev.understudy.relay.control.access.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ControlAccessConfigTest {
    private static final String LEAST = "listeners: [{name: a, listen: 127.0.0.1:0, production: 127.0.0.1:8081}]\n";

    @TempDir
    Path folder;

    @Test
    void tokens_haveNamesAndRoles_inTheFileAndAboveIt() throws IOException {
        SidecarConfig config = read(
                "control: {listen: '0.0.0.0:1', tokens: [{name: ann, role: operate, token: s3}]}",
                Map.of("UNDERSTUDY_CONTROL_TOKEN", "s1", "UNDERSTUDY_CONTROL_AGENT_TOKEN", "s2"));

        assertThat(config.control().access())
                .isEqualTo(new AccessConfig(
                        List.of(
                                new AccessToken("admin", Role.ADMIN, "s1"),
                                new AccessToken("agent", Role.AGENT, "s2"),
                                new AccessToken("ann", Role.OPERATE, "s3")),
                        null));
        assertThat(config.toString()).doesNotContain("s1").doesNotContain("s2").doesNotContain("s3");
    }

    @Test
    void withoutAny_someAreGenerated_unlessTheOperatorOpensThePort() throws IOException {
        assertThat(read("", Map.of()).control().access().isEmpty()).isTrue();

        AccessConfig open =
                read("control: {anonymous: read}", Map.of()).control().access();
        assertThat(open.anonymous()).isEqualTo(Role.READ);
        assertThat(open.isEmpty()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tokens: [{name: a, role: read, token: x}, {name: a, role: read, token: y}] | two have the name a",
                "tokens: [{name: a, role: read, token: x}, {name: b, role: read, token: x}] | that of "
                        + "b is another one's",
                "tokens: [{name: a, role: root, token: x}] | expected: one of agent, read, operate, admin",
                "tokens: [{name: a, role: read, token: \"\\u00fc\"}] | printable characters of ASCII",
                "tokens: [{name: a, role: read}] | token: missing",
                "anonymous: everybody | expected: one of none, agent, read, operate, admin",
                "listen: '0.0.0.0:1', token: x, anonymous: read | anonymous: read on 0.0.0.0",
                "listen: '0.0.0.0:1' | without a token",
            })
    void wrongOnes_areNamed(String control, String problem) {
        assertThatThrownBy(() -> read("control: {" + control + "}", Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(problem);
    }

    private SidecarConfig read(String more, Map<String, String> environment) throws IOException {
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), LEAST + more);
        Problems problems = new Problems();
        return SidecarConfig.read(file, new Overrides(environment, List.of(), problems), problems);
    }
}

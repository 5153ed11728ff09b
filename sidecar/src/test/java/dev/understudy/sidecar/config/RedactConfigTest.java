package dev.understudy.sidecar.config;

import com.google.re2j.Pattern;
import dev.understudy.relay.config.ConfigException;
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

final class RedactConfigTest {
    private static final String LEAST = "listeners: [{name: a, listen: 127.0.0.1:0, production: 127.0.0.1:8081}]\n";

    @TempDir
    Path folder;

    @Test
    void redact_isAListOfNames_andToldOfWithAllElseThatIsWrong() throws IOException {
        assertThat(read(LEAST + "redact: [diagnosis, X-Tenant]\n", Map.of())
                        .redact()
                        .names())
                .containsExactlyInAnyOrder("diagnosis", "X-Tenant");
        assertThat(read(LEAST + "redact: salary\n", Map.of()).redact().names()).containsExactly("salary");
        assertThat(read(LEAST, Map.of("UNDERSTUDY_REDACT", "salary, größe"))
                        .redact()
                        .names())
                .containsExactlyInAnyOrder("salary", "größe");

        String wrong =
                LEAST + "redakt: [a]\nredact: [diagnosis, '', 7, 'a=b', " + "x".repeat(65) + ", {a: b}]\ndrain: soon\n";
        assertThatThrownBy(() -> read(wrong, Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "redakt: unknown key; did you mean redact?",
                        "redact: 7 (expected: the name of a field, such as diagnosis, home_address or X-Tenant)",
                        "redact: a=b (",
                        "redact: xxx",
                        "redact:  (",
                        "redact: (expected",
                        "drain: soon");
        StringBuilder many = new StringBuilder(LEAST + "redact: [a");
        for (int i = 0; i < 200; i++) {
            many.append(", a").append(i);
        }
        assertThatThrownBy(() -> read(many + "]\n", Map.of()))
                .hasMessageContaining("redact: 201 names (expected: at most 200)");
    }

    @Test
    void redactValues_areExpressionsThatFindSomething() throws IOException {
        assertThat(read(LEAST + "redact-values: ['EMP-[0-9]{6}', x]\n", Map.of())
                        .redact()
                        .values())
                .extracting(Pattern::pattern)
                .containsExactly("EMP-[0-9]{6}", "x");
        assertThatThrownBy(() -> read(LEAST + "redact-values: ['(', '[0-9]*', '(a)\\1']\n", Map.of()))
                .hasMessageContainingAll(
                        "redact-values: ( (expected: a regular expression (RE2), such as EMP-[0-9]{6})",
                        "redact-values: [0-9]* (", "redact-values: (a)\\1 (");
        assertThatThrownBy(() -> read(LEAST + "redact-values: [" + "x, ".repeat(50) + "y]\n", Map.of()))
                .hasMessageContaining("redact-values: 51 expressions (expected: at most 50)");
    }

    private SidecarConfig read(String yaml, Map<String, String> environment) throws IOException {
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), yaml);
        Problems problems = new Problems();
        return SidecarConfig.read(file, new Overrides(environment, List.of(), problems), problems);
    }
}

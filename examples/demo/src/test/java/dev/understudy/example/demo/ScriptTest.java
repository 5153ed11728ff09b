package dev.understudy.example.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The script {@code understudy} at the root. */
@Tag("process")
class ScriptTest {
    private static final Path SCRIPT = Path.of("../../understudy");

    private record Outcome(int exit, String output) {}

    @Test
    void help_listsTheCommands() throws Exception {
        Outcome outcome = run(Map.of(), "--help");
        assertThat(outcome.exit).isZero();
        assertThat(outcome.output).contains("demo", "sidecar", "aggregator");
    }

    @Test
    void unknownCommand_isRefused() throws Exception {
        Outcome outcome = run(Map.of(), "dmeo");
        assertThat(outcome.exit).isEqualTo(2);
        assertThat(outcome.output).contains("no such command: dmeo");
    }

    @Test
    void oldJava_isRefusedWithItsVersion(@TempDir Path home) throws Exception {
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho '    java.specification.version = 11' >&2\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Outcome outcome = run(Map.of("JAVA_HOME", home.toString()), "demo");
        assertThat(outcome.exit).isEqualTo(2);
        assertThat(outcome.output).contains("is Java 11 (expected: 17 or newer)");
    }

    @Test
    void wrongJavaHome_isNamed(@TempDir Path home) throws Exception {
        Outcome outcome = run(Map.of("JAVA_HOME", home.toString()), "sidecar");
        assertThat(outcome.exit).isEqualTo(2);
        assertThat(outcome.output).contains("JAVA_HOME is " + home);
    }

    private static Outcome run(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", SCRIPT.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output);
    }
}

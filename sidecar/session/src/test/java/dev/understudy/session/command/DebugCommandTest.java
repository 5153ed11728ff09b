package dev.understudy.session.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

final class DebugCommandTest {
    private final StringWriter printed = new StringWriter();

    @Test
    void wrongOptions_areNamed_withWhatIsExpected() {
        assertThat(run("debug", "--pid", "1", "--max-suspend", "3")).isEqualTo(2);
        assertThat(printed.toString()).contains("3 (expected: a time such as 250ms, 3s, 10m or 1h)");
        assertThat(run("debug", "--pid", "1", "--container", "x")).isEqualTo(2);
        assertThat(run("debug", "--pid", "1", "--for", "0s")).isEqualTo(2);
    }

    @Test
    void processThatIsntThere_orIsNoJvm_isNamed() throws Exception {
        assertThat(run("debug", "--pid", "999999999", "--dry-run")).isEqualTo(2);
        assertThat(printed.toString()).contains("understudy debug: ").contains("999999999");

        Process process = new ProcessBuilder("sleep", "600").start();
        try {
            assertThat(run("debug", "--pid", Long.toString(process.pid()), "--dry-run"))
                    .isEqualTo(2);
            assertThat(printed.toString()).contains("JVM");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void sessionThatIsntThere_isNeitherStoppedNorUndone() {
        assertThat(run("debug", "--stop", "00000000")).isEqualTo(2);
        assertThat(run("debug", "--undo", "00000000")).isEqualTo(2);
        assertThat(run("debug", "--undo", "../../etc")).isEqualTo(2);
        assertThat(printed.toString()).contains("no such session");
    }

    private int run(String... words) {
        PrintWriter out = new PrintWriter(printed);
        CommandLine command = Main.commandLine();
        return command.setOut(out).setErr(out).execute(words);
    }
}

package dev.understudy.observatory.command;

import dev.understudy.observatory.sample.SampleReader;
import dev.understudy.sidecar.command.control.Exit;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

final class NodeCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void samples_areInTheFolder_whenTheTimeIsOver() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/stat")), "skipped: this isn't Linux");
        Path samples = folder.resolve("samples");

        assertThat(run("node", "--out", samples.toString(), "--every", "20ms", "--for", "300ms", "--keep", "1MiB"))
                .as(err.toString())
                .isEqualTo(Exit.FINE);

        assertThat(out.toString()).contains("understudy node ready", "samples are in " + samples);
        assertThat(SampleReader.read(samples, 0, Long.MAX_VALUE, 100_000).series())
                .hasSizeGreaterThan(10);
    }

    /** A process of its own, for it ends it. */
    @Test
    @Tag("process")
    void ctrlC_isAGoodEnd_afterWhichAllSamplesAreInTheFolder() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/stat")), "skipped: this isn't Linux");
        Process node = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "node",
                        "--out",
                        folder.resolve("samples").toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = node.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readLine()).contains("understudy node ready");
            new ProcessBuilder("kill", "-INT", Long.toString(node.pid()))
                    .start()
                    .waitFor();
            String last = output.lines().reduce("", (before, line) -> line);

            assertThat(node.waitFor()).as(last).isEqualTo(Exit.FINE);
            long samples = Long.parseLong(last.substring(0, last.indexOf(' ')));
            assertThat(SampleReader.read(folder.resolve("samples"), 0, Long.MAX_VALUE, 100_000)
                            .series())
                    .filteredOn(series -> series.metric().equals("memory.used"))
                    .allSatisfy(series -> assertThat(series.values()).hasSize((int) samples));
        } finally {
            node.destroyForcibly();
        }
    }

    @Test
    void wrongOptions_areRefused_withWhatWasExpected() {
        assertThat(run("node", "--out", folder.toString(), "--every", "5ms")).isEqualTo(Exit.WRONG);
        assertThat(err.toString()).contains("--every: 5 ms (expected: 20ms to 1s)");
        assertThat(run("node", "--out", folder.toString(), "--every", "soon")).isEqualTo(Exit.WRONG);
        assertThat(err.toString()).contains("soon (expected: a time such as 250ms");
        assertThat(run("node", "--out", folder.toString(), "--keep", "1KiB")).isEqualTo(Exit.WRONG);
        assertThat(err.toString()).contains("expected: 1MiB or more");
    }

    @Test
    void folderThatCannotBeMade_isRefused_withTheWayOut() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThat(run("node", "--out", file.resolve("x").toString())).isEqualTo(Exit.WRONG);

        assertThat(err.toString()).contains("understudy node: " + file, "expected: a folder, new or writable");
    }
}

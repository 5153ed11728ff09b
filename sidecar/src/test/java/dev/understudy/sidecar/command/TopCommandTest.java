package dev.understudy.sidecar.command;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

final class TopCommandTest {
    private static final Path SCRIPT = Path.of("/usr/bin/script");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void top_once_isPlain() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            Ran ran = Ran.run("top", "--once", "--url", sidecar.controlUrl());

            assertThat(ran.code()).isZero();
            assertThat(ran.out()).contains("shop  127.0.0.1:", "window").doesNotContain("\u001b");
        }
    }

    @Test
    void top_withAnIntervalOutOfRange_is2() {
        assertThat(Ran.run("top", "--interval", "0").err()).contains("expected: 0.1 to 3600");
        assertThat(Ran.run("top", "--interval", "NaN").code()).isEqualTo(2);
    }

    @Tag("process")
    @Test
    void top_leavesTheTerminalClean_atQ() throws Exception {
        assertLeavesClean("q");
    }

    @Tag("process")
    @Test
    void top_leavesTheTerminalClean_atCtrlC() throws Exception {
        assumeThat(ignoresInterrupts())
                .as("a JVM that was started with SIGINT ignored ignores it")
                .isFalse();
        assertLeavesClean("\u0003");
    }

    /** On a pseudo-terminal, which {@code script} makes; the shell in it tells the settings before and after. */
    private void assertLeavesClean(String key) throws Exception {
        assumeThat(SCRIPT).as("util-linux's script makes the pseudo-terminal").exists();
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            String top = String.join(
                    " ",
                    "'" + java + "'",
                    "-Xmx64m -XX:TieredStopAtLevel=1 -cp '" + System.getProperty("java.class.path") + "'",
                    Main.class.getName(),
                    "top --interval 0.1 --url",
                    sidecar.controlUrl());
            Path shell = Files.writeString(
                    folder.resolve("shell"), "trap : INT\nstty -g\n" + top + "\nstty -g\necho ended\n");
            Process process = new ProcessBuilder(
                            SCRIPT.toString(),
                            "-qec",
                            "sh '" + shell + "'",
                            folder.resolve("log").toString())
                    .redirectErrorStream(true)
                    .start();
            CompletableFuture.delayedExecutor(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .execute(process::destroyForcibly);
            String seen = readUntil(process, "not in sight");
            OutputStream keys = process.getOutputStream();
            keys.write(key.getBytes(StandardCharsets.US_ASCII));
            keys.flush();
            seen += readUntil(process, "ended");

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(seen)
                    .contains("\u001b[?1049h", "shop  127.0.0.1:")
                    .containsSubsequence("\u001b[?25h", "\u001b[?1049l");
            String[] settings = seen.lines()
                    .map(line -> line.substring(line.lastIndexOf('\u001b') + 1).replaceFirst("^\\[\\?1049l", ""))
                    .filter(line -> line.matches("[0-9a-f]+(:[0-9a-f]+)+"))
                    .toArray(String[]::new);
            assertThat(settings).as(seen).hasSize(2);
            assertThat(settings[1]).isEqualTo(settings[0]);
        }
    }

    private static boolean ignoresInterrupts() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> ((Long.parseUnsignedLong(line.substring(7).strip(), 16) >> 1) & 1) == 1);
    }

    private static String readUntil(Process process, String mark) throws IOException {
        StringBuilder seen = new StringBuilder();
        for (int next = process.getInputStream().read();
                next >= 0;
                next = process.getInputStream().read()) {
            seen.append((char) next);
            if (seen.lastIndexOf(mark) == seen.length() - mark.length() && seen.length() >= mark.length()) {
                break;
            }
        }
        return seen.toString();
    }
}

package dev.understudy.sidecar.command;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class SimulateCommandTest {
    @TempDir
    Path folder;

    @Test
    void simulate_repeatsBothStudies_andDraws() throws Exception {
        Path svg = folder.resolve("sweep.svg");

        Ran ran = Ran.run(
                "simulate",
                "--runs",
                "3",
                "--step",
                "100",
                "--buffer",
                "256KiB",
                "--horizon",
                "1000",
                "--svg",
                svg.toString());

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("table 3.1", "figure 3.5", "256 requests fit in", "950 %", "drawn into");
        assertThat(Files.readString(svg)).startsWith("<svg ").endsWith("</svg>\n");
    }

    @Test
    void simulate_ofALoad_saysHowLongItsWindowLasts() {
        Ran ran = Ran.run(
                "simulate",
                "--rate",
                "100",
                "--service",
                "300",
                "--slow-down",
                "6",
                "--buffer",
                "1MiB",
                "--runs",
                "20");

        assertThat(ran.out().lines())
                .containsExactly(
                        "100.0 requests/s arrive, debug answers 50.0/s (6.0 times slower), 1024 requests fit in",
                        "closed form: 20.5 s",
                        ran.out().lines().toList().get(2));
        assertThat(ran.out()).contains("20 of 20 runs overflowed within 1000.0 s");
    }

    @Test
    void simulate_ofAWantedWindow_saysHowMuchSlowerDebugMayBe() {
        Ran ran =
                Ran.run("simulate", "--rate", "100", "--service", "300", "--wanted-window", "10m", "--buffer", "1MiB");

        assertThat(ran.out().lines().toList().get(0))
                .isEqualTo("100.0 requests/s arrive, production answers 300.0/s, 1024 requests fit in");
        assertThat(ran.out())
                .containsPattern(
                        "for a window of 600.0 s debug may be 3\\.0\\d times slower: budget=0\\.6\\d\\d, a share");
        assertThat(Ran.run("simulate", "--rate", "1", "--service", "3", "--wanted-window", "soon")
                        .err())
                .contains("soon (expected: ");
    }

    @Test
    void wrongNumbers_are2() {
        assertThat(Ran.run("simulate", "--runs", "0").err()).contains("--runs: 0 (expected: 1 to 100000)");
        assertThat(Ran.run("simulate", "--buffer", "lots").err()).contains("lots (expected: a size from 1");
        assertThat(Ran.run("simulate", "--rate", "5").code()).isEqualTo(2);
        assertThat(Ran.run("simulate", "--rate", "5", "--service", "9", "--slow-down", "0.5")
                        .err())
                .contains("slow-down: 0.5 (expected: at least 1)");
        assertThat(Ran.run("simulate", "--rate", "-5", "--service", "9").code()).isEqualTo(2);
    }
}

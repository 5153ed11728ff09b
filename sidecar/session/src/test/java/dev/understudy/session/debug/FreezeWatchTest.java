package dev.understudy.session.debug;

import dev.understudy.session.host.ProcessStart;
import dev.understudy.session.program.StopTime;
import dev.understudy.session.target.TargetProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class FreezeWatchTest {
    private Process process;

    @BeforeEach
    void start() throws Exception {
        process = new ProcessBuilder("sleep", "600").start();
    }

    @AfterEach
    void stop() {
        process.destroyForcibly();
    }

    @Test
    void stoppedProcess_isSeen_whileItIsStopped() throws Exception {
        try (FreezeWatch watch = FreezeWatch.start(target())) {
            Thread.sleep(20);
            long before = System.nanoTime();
            new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                    .start()
                    .waitFor();
            while (!watch.hasSeen()) {
                Thread.sleep(1);
            }
            long after = System.nanoTime();

            StopTime moment = watch.end(Duration.ofSeconds(2));

            assertThat(moment.running()).isLessThan(after);
            assertThat(moment.answered()).isBetween(before + 1_000_000_000L, after + 1_000_000_000L);
            assertThat(moment.answered() - moment.running()).isGreaterThan(1_000_000_000L);
        }
    }

    @Test
    void processThatIsNeverStopped_isntSeen_norOneThatEnds() throws Exception {
        try (FreezeWatch watch = FreezeWatch.start(target())) {
            process.destroyForcibly().waitFor();
            long before = System.nanoTime();

            StopTime moment = watch.end(Duration.ofSeconds(2));

            assertThat(watch.hasSeen()).isFalse();
            assertThat(moment.running()).isBetween(before, System.nanoTime());
            assertThat(moment.answered()).isEqualTo(moment.running());
        }
    }

    private TargetProcess target() throws Exception {
        long pid = process.pid();
        return new TargetProcess(pid, ProcessStart.ticks(pid), 0, 0, List.of("sleep"), Path.of("/"));
    }
}

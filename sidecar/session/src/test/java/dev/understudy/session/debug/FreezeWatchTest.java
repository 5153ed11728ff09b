package dev.understudy.session.debug;

import dev.understudy.session.host.ProcessStart;
import dev.understudy.session.target.TargetProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class FreezeWatchTest {
    private final CountDownLatch seen = new CountDownLatch(1);
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
        try (FreezeWatch watch = FreezeWatch.start(target(), seen::countDown)) {
            new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                    .start()
                    .waitFor();

            assertThat(seen.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(watch.end()).isTrue();
        }
    }

    @Test
    void processThatIsNeverStopped_isntSeen_norOneThatEnds() throws Exception {
        try (FreezeWatch watch = FreezeWatch.start(target(), seen::countDown)) {
            process.destroyForcibly().waitFor();

            assertThat(watch.end()).isFalse();
            assertThat(seen.getCount()).isOne();
        }
    }

    private TargetProcess target() throws Exception {
        long pid = process.pid();
        return new TargetProcess(pid, ProcessStart.ticks(pid), 0, 0, List.of("sleep"), Path.of("/"));
    }
}

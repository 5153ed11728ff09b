package dev.understudy.session.debug;

import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.survey.SurveyOptions;
import dev.understudy.session.target.survey.TargetSurveyor;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ColdStartTest {
    private static final TargetSurveyor SURVEYOR = new TargetSurveyor(SurveyOptions.QUIET);

    @TempDir
    private Path folder;

    private final CountDownLatch running = new CountDownLatch(1);

    private ColdStart start(String script) throws IOException {
        return ColdStart.of(
                List.of("sh", "-c", script),
                "",
                folder.resolve("log"),
                new SessionProgress(new PrintWriter(new StringWriter()), false),
                running);
    }

    @Test
    void commandThatEnds_isNamedWithItsOutput() throws Exception {
        try (ColdStart command = start("echo no database; exit 3")) {
            assertThatThrownBy(() -> command.await(SURVEYOR, Duration.ofMinutes(1), running))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContainingAll("the command ended with 3 before it listened", "no database");
        }
    }

    @Test
    void commandThatNeverListens_isGivenUp_andEndedWithAllThatItStarted() throws Exception {
        try (ColdStart command = start("sleep 600 & echo $! >" + folder.resolve("pid") + "; wait")) {
            assertThatThrownBy(() -> command.await(SURVEYOR, Duration.ofSeconds(1), running))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContainingAll("no JVM of the command listens", "--start-limit");
        }
        long child = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
        assertThat(ProcessHandle.of(child).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void sessionThatIsStopped_waitsForNothing() throws Exception {
        running.countDown();
        try (ColdStart command = start("sleep 600")) {
            assertThat(command.await(SURVEYOR, Duration.ofMinutes(1), running)).isEmpty();
        }
    }

    @Test
    void userThatIsntThere_isAnErrorWithTheWayOut() throws Exception {
        assertThat(ColdStart.uid("root")).isZero();
        assertThatThrownBy(() -> ColdStart.uid("no-such-user"))
                .hasMessage("--user: no-such-user (expected: a user of this machine)");
    }
}

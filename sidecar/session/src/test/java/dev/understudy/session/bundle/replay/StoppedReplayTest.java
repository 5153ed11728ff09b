package dev.understudy.session.bundle.replay;

import dev.understudy.session.bundle.BundleFolder;
import dev.understudy.session.ledger.SessionProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A replay that is ended by a signal, in a process of its own. */
final class StoppedReplayTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path temporary;

    /** What a replay does, in its order: a folder, a program, and a wait for it. */
    public static void main(String[] args) throws Exception {
        try (BundleFolder folder = BundleFolder.open();
                ReplayProgram service = ReplayProgram.start(
                        "the service",
                        List.of("sh", "-c", "sleep 600 & echo pids $$ $!; wait"),
                        Map.of(),
                        folder.path())) {
            folder.before(service::close);
            System.out.println(service.awaitLine("pids", PATIENCE));
            service.awaitPort(1, Duration.ofMinutes(10));
        }
    }

    /** Ctrl-C's is the same to a JVM, but is ignored by whatever a shell has started in the background. */
    @Test
    void signal_leavesNoProcessAndNoFile() throws Exception {
        try (SessionProgram replay = SessionProgram.start(
                List.of("env", "JDK_JAVA_OPTIONS=-Djava.io.tmpdir=" + temporary), StoppedReplayTest.class)) {
            String[] pids = replay.line().split(" ", -1);
            assertThat(pids).hasSize(3);
            assertThat(bundles()).hasSize(1);
            new ProcessBuilder("kill", "-TERM", Long.toString(replay.pid()))
                    .start()
                    .waitFor();
            assertThat(replay.await()).isEqualTo(143);
            assertThat(bundles()).isEmpty();
            for (int n = 1; n < pids.length; n++) {
                long pid = Long.parseLong(pids[n]);
                await("process " + pid).atMost(PATIENCE).until(() -> !SessionProgram.isRunning(pid));
            }
        }
    }

    private List<Path> bundles() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.filter(file -> file.getFileName().toString().startsWith("understudy-bundle-"))
                    .toList();
        }
    }
}

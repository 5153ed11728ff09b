package dev.understudy.session.bundle.replay;

import dev.understudy.session.bundle.BundleException;
import dev.understudy.session.ledger.SessionProgram;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

final class ReplayProgramTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    @Test
    void programThatNeverListens_isGivenUpAfterItsLimit_withItsLastLines() throws Exception {
        int free = freePort();
        try (ReplayProgram program =
                start("echo one; for n in 1 2 3 4 5 6 7 8 9 10; do echo $n; done; exec sleep 600")) {
            program.awaitLine("10", PATIENCE);
            assertThatThrownBy(() -> program.awaitPort(free, Duration.ofMillis(200)))
                    .isInstanceOf(BundleException.class)
                    .hasMessage("the service isn't ready after 0 s; its last lines:\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10");
            assertThatThrownBy(() -> program.awaitLine("eleven", Duration.ofMillis(1)))
                    .isInstanceOf(BundleException.class)
                    .hasMessageStartingWith("the service isn't ready after 0 s");
        }
    }

    @Test
    void programThatEndsBefore_isReportedWithWhatItPrintedLast() throws Exception {
        for (int round = 0; round < 20; round++) {
            try (ReplayProgram program = start("echo no such flag >&2; exit 7")) {
                assertThatThrownBy(() -> program.awaitPort(1, PATIENCE))
                        .isInstanceOf(BundleException.class)
                        .hasMessage("the service ended with exit code 7; its last lines:\nno such flag");
            }
        }
        assertThatThrownBy(() -> ReplayProgram.start("the service", List.of("/no/such"), Map.of(), folder))
                .isInstanceOf(BundleException.class)
                .hasMessageStartingWith("the service didn't start: ");
    }

    @Test
    void endlessOutput_isReadInBoundedMemory_andListeningIsSeen() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ReplayProgram program = start("head -c 50000000 /dev/zero; echo; echo done; exec sleep 600")) {
            program.awaitLine("done", PATIENCE);
            assertThat(program.awaitPort(listening.getLocalPort(), PATIENCE).getPort())
                    .isEqualTo(listening.getLocalPort());
            assertThatThrownBy(() -> program.awaitLine("never", Duration.ZERO))
                    .message()
                    .hasSizeLessThan(100_000);
        }
    }

    @Test
    void closing_endsItWithWhatItStarted_alsoIfItIgnoresThat() throws Exception {
        Path pids = folder.resolve("pids");
        ReplayProgram program =
                start("trap '' TERM; sleep 600 & echo $$ $! > pids; echo ready; while :; do sleep 1; done");
        program.awaitLine("ready", PATIENCE);
        String[] both = Files.readString(pids).strip().split(" ", -1);
        Thread.currentThread().interrupt();
        program.close();
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        for (String pid : both) {
            await(pid).atMost(PATIENCE).until(() -> !SessionProgram.isRunning(Long.parseLong(pid)));
        }
    }

    @Test
    void ourOwnVariables_arentThoseOfTheProgram() throws Exception {
        try (ReplayProgram program = start("env | grep -c ^UNDERSTUDY_; echo $HOME_OF_IT; echo over; exec sleep 600")) {
            program.awaitLine("over", PATIENCE);
            assertThat(program.awaitLine("0", PATIENCE)).isEqualTo("0");
            assertThat(program.awaitLine("here", PATIENCE)).isEqualTo("here");
        }
    }

    private ReplayProgram start(String script) throws BundleException {
        return ReplayProgram.start("the service", List.of("sh", "-c", script), Map.of("HOME_OF_IT", "here"), folder);
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}

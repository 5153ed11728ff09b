package dev.understudy.sidecar.tap;

import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("process")
final class LaneSupervisorTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    @Test
    void process_thatEndsBeforeItIsReady_isAFailedStart() throws Exception {
        try (LaneSupervisor lanes = start("echo no such port; exit 2")) {
            assertThatThrownBy(() -> lanes.awaitReady(LONG))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the lane process ended with exit code 2 before it was ready");
            assertThat(lines).containsExactly("no such port");
        }
    }

    @Test
    void process_thatIsLate_isWaitedForByNobody_andStillStartedAgain() throws Exception {
        try (LaneSupervisor lanes = start("echo one; exec sleep 3")) {
            assertThat(lanes.awaitReady(Duration.ofMillis(1))).isEmpty();
            await("a second start").until(() -> lines.size() >= 2);
        }
    }

    @Test
    void processThatFollows_isToldWhatTheFirstSaid() throws Exception {
        try (LaneSupervisor lanes = LaneSupervisor.start(
                before -> new ProcessBuilder(
                        "sh", "-c", "echo '[" + before + "]'; echo '" + LaneSupervisor.READY + "here'"),
                lines::add)) {
            assertThat(lanes.awaitReady(LONG)).isEqualTo("here");
            await("a second start").until(() -> lines.size() >= 2);
            assertThat(lines).startsWith("[]", "[here]");
        }
    }

    @Test
    void longLine_isCut() throws Exception {
        try (LaneSupervisor lanes = start("head -c 100000 /dev/zero | tr '\\0' x; echo; exec sleep 600")) {
            assertThat(lanes.awaitReady(Duration.ofMillis(1))).isEmpty();
            await("the line").until(() -> !lines.isEmpty());
            assertThat(lines.element()).hasSize(LaneSupervisor.LONGEST_LINE);
        }
    }

    private LaneSupervisor start(String script) {
        return LaneSupervisor.start(before -> new ProcessBuilder("sh", "-c", script), lines::add);
    }
}

package dev.understudy.relay.split;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.relay.RelayStage.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("process")
final class ChildSupervisorTest {
    private static final String ORDERS = "echo '" + ChildSupervisor.READY
            + "here'; head -c 1 >/dev/null; echo first; head -c 1 >/dev/null; echo second";

    private static final Duration LONG = Duration.ofSeconds(60);

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    @Test
    void process_thatEndsBeforeItIsReady_isAFailedStart() throws Exception {
        try (ChildSupervisor lanes = start("echo no such port; exit 2")) {
            assertThatThrownBy(() -> lanes.awaitReady(LONG))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the lane process ended with exit code 2 before it was ready");
            assertThat(lines).containsExactly("no such port");
        }
    }

    @Test
    void process_thatIsLate_isWaitedForByNobody_andStillStartedAgain() throws Exception {
        try (ChildSupervisor lanes = start("echo one; exec sleep 3")) {
            assertThat(lanes.awaitReady(Duration.ofMillis(1))).isEmpty();
            await("a second start", () -> lines.size() >= 2);
        }
    }

    @Test
    void processThatFollows_isToldWhatTheFirstSaid() throws Exception {
        try (ChildSupervisor lanes = ChildSupervisor.start(
                "lane process",
                before -> new ProcessBuilder(
                        "sh", "-c", "echo '[" + before + "]'; echo '" + ChildSupervisor.READY + "here'"),
                lines::add)) {
            assertThat(lanes.awaitReady(LONG)).isEqualTo("here");
            await("a second start", () -> lines.size() >= 2);
            assertThat(lines).startsWith("[]", "[here]");
        }
    }

    @Test
    void longLine_isCut() throws Exception {
        try (ChildSupervisor lanes = start("head -c 100000 /dev/zero | tr '\\0' x; echo; exec sleep 600")) {
            assertThat(lanes.awaitReady(Duration.ofMillis(1))).isEmpty();
            await("the line", () -> !lines.isEmpty());
            assertThat(lines.element()).hasSize(ChildSupervisor.LONGEST_LINE);
        }
    }

    @Test
    void processThatIsKilledBeforeItIsReady_isStartedAgain_andWaitedFor(@TempDir Path folder) throws Exception {
        Path killed = folder.resolve("killed");
        try (ChildSupervisor lanes = start("[ -e " + killed + " ] || { touch " + killed + "; kill -9 $$; }; echo '"
                + ChildSupervisor.READY + "here'; exec sleep 600")) {
            assertThat(lanes.awaitReady(LONG)).isEqualTo("here");
        }
    }

    @Test
    void closing_ordersTheEndOnce() throws Exception {
        try (ChildSupervisor lanes = start(ORDERS)) {
            lanes.awaitReady(LONG);
            Thread closing = new Thread(() -> lanes.close(LONG));
            closing.start();
            await("the order", () -> lines.contains("first"));
            assertThat(lines).doesNotContain("second");
            lanes.hurry();
            closing.join();
            assertThat(lines).containsExactly("first", "second");
        }
    }

    @Test
    void hurryBeforeTheEnd_isOrderedWithIt() throws Exception {
        try (ChildSupervisor lanes = start(ORDERS)) {
            lanes.awaitReady(LONG);
            lanes.hurry();
            assertThat(lines).isEmpty();
            lanes.close(LONG);
            assertThat(lines).containsExactly("first", "second");
        }
    }

    @Test
    void processThatIsNotReady_isNotWaitedFor() throws Exception {
        try (ChildSupervisor lanes = start("exec sleep 600")) {
            lanes.close(Duration.ofHours(1));
        }
    }

    private ChildSupervisor start(String script) {
        return ChildSupervisor.start("lane process", before -> new ProcessBuilder("sh", "-c", script), lines::add);
    }
}

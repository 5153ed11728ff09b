package dev.understudy.sidecar.resync;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.config.YamlFile;
import dev.understudy.sidecar.inbound.LinkConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

final class ResyncTest {
    private static final Masking MASKING = new Masking(Set.of());
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @TempDir
    Path folder;

    private final Side side = new Side();

    @Test
    void itIsDue_asTheSettingsSay() throws IOException {
        Triggers first = triggers("{on-divergence: first, pause: 10s, command: [x]}");
        assertThat(first.due(new ResyncStanding(1, 1, 0), Duration.ofSeconds(9)))
                .as("pause")
                .isNull();
        assertThat(first.due(new ResyncStanding(1, 1, 0), Duration.ofSeconds(10)))
                .isEqualTo(Cause.DIVERGENCE);
        assertThat(first.due(new ResyncStanding(1, 0, 1), Duration.ofDays(9))).isNull();
        Triggers share = triggers("{on-divergence: 2%, pause: 0s, command: [x]}");
        assertThat(share.due(new ResyncStanding(99, 99, 0), Duration.ZERO))
                .as("too few")
                .isNull();
        assertThat(share.due(new ResyncStanding(100, 1, 0), Duration.ZERO)).isNull();
        assertThat(share.due(new ResyncStanding(100, 2, 0), Duration.ZERO)).isEqualTo(Cause.DIVERGENCE);
        Triggers overflow = triggers("{on-overflow: true, pause: 0s, container: x}");
        assertThat(overflow.due(new ResyncStanding(100, 100, 0), Duration.ofDays(9)))
                .isNull();
        assertThat(overflow.due(new ResyncStanding(0, 0, 1), Duration.ZERO)).isEqualTo(Cause.OVERFLOW);
        Triggers periodic = triggers("{every: 6h, webhook: 'http://a/b'}");
        assertThat(periodic.due(ResyncStanding.NONE, Duration.ofHours(5))).isNull();
        assertThat(periodic.due(ResyncStanding.NONE, Duration.ofHours(6))).isEqualTo(Cause.PERIODIC);
    }

    @Test
    void triggerWithoutAnythingToDo_isRefused() {
        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> config("{every: 6h}"));
        assertThat(refused.problems()).anyMatch(line -> line.contains("command: none (expected: at least one of"));
        refused = catchThrowableOfType(ConfigException.class, () -> config("{on-divergence: often, command: [x]}"));
        assertThat(refused.problems())
                .anyMatch(line -> line.contains("on-divergence: often (expected: never, first, or a share"));
    }

    @Test
    void container_isRestartedByDocker_andTheAggregatorForgetsAtTheEnd() throws IOException {
        assertThat(config("{command: [make, state], container: orders-debug, recording: f, webhook: 'http://a/b'}")
                        .steps(new LinkConfig("http://a", "", ""), MASKING))
                .containsExactly(
                        new CommandStep(List.of("make", "state")),
                        new CommandStep(List.of("docker", "restart", "orders-debug")),
                        new WebhookStep("http://a/b"),
                        new ReadyStep(),
                        new ReplayStep("f", MASKING),
                        new ForgetStep(new LinkConfig("http://a", "", "")));
    }

    @Test
    void epochs_areKept_withWhatWasCountedInEach() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Step step = occasion -> {
            side.did.add("step " + occasion.epoch() + " " + occasion.cause());
            go.await();
        };
        ResyncConfig config = config("{on-divergence: first, pause: 1s, input: drop, command: [x]}");
        try (Resync resync = new Resync(config, List.of(step), side, 0, 1000)) {
            side.counted = new ResyncStanding(10, 1, 0);
            resync.look(SECOND - 1, 1999);
            assertThat(resync.epochs()).hasSize(1);
            resync.look(SECOND, 2000);
            assertThat(resync.current().state()).isEqualTo("running");
            assertThat(resync.ask(SECOND, 2000)).as("while it is being done").isFalse();
            resync.look(5 * SECOND, 6000);
            side.counted = new ResyncStanding(12, 1, 0); // of lanes that were cut
            go.countDown();
            await("the end").until(() -> side.did.size() == 3);
            side.counted = new ResyncStanding(15, 1, 0);

            assertThat(side.did).containsExactly("cut drop", "step 2 DIVERGENCE", "go on");
            assertThat(resync.epochs())
                    .extracting(Epoch::number, Epoch::cause, Epoch::fromMillis, Epoch::counted, Epoch::state)
                    .containsExactly(
                            tuple(1, Cause.START, 1000L, new ResyncStanding(12, 1, 0), "done"),
                            tuple(2, Cause.DIVERGENCE, 2000L, new ResyncStanding(3, 0, 0), "done"));
            resync.look(60 * SECOND, 61_000);
            assertThat(resync.epochs())
                    .as("what differed before doesn't count again")
                    .hasSize(2);
        }
    }

    @Test
    void aPatch_beginsAnEpoch_withoutCuttingAnything_andLastsThroughAReSynchronisation() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Step waiting = occasion -> go.await();
        try (Resync resync = new Resync(config("{command: [x]}"), List.of(waiting), side, 0, 1000)) {
            side.counted = new ResyncStanding(10, 0, 0);
            resync.patched("c0ffee", SECOND, 2000);
            resync.patched("c0ffee", SECOND, 2500);
            side.counted = new ResyncStanding(30, 7, 0);
            assertThat(side.did).isEmpty();
            assertThat(resync.ask(SECOND, 3000)).isTrue();
            resync.patched("", SECOND, 4000);
            go.countDown();
            await("the end").until(() -> side.did.size() == 2);
            resync.patched("", SECOND, 5000);

            assertThat(resync.epochs())
                    .extracting(Epoch::number, Epoch::cause, Epoch::fromMillis, Epoch::counted, Epoch::patch)
                    .containsExactly(
                            tuple(1, Cause.START, 1000L, new ResyncStanding(10, 0, 0), ""),
                            tuple(2, Cause.PATCHED, 2000L, new ResyncStanding(20, 7, 0), "c0ffee"),
                            tuple(3, Cause.ASKED, 3000L, ResyncStanding.NONE, ""));
            assertThat(resync.done()).as("what was really done").isEqualTo(1);
        }
    }

    @Test
    void failure_isKept_andTheDebugSideGoesOn() throws Exception {
        Step failing = occasion -> {
            throw new IOException("no such container");
        };
        try (Resync resync = new Resync(config("{command: [x]}"), List.of(failing), side, 0, 0)) {
            assertThat(resync.ask(SECOND, 1)).isTrue();
            await("the end").until(() -> side.did.size() == 2);

            assertThat(side.did).containsExactly("cut hold", "go on out of step");
            assertThat(resync.current().problem()).isEqualTo("no such container");
            assertThat(resync.failed()).isEqualTo(1);
            assertThat(resync.done()).isZero();
        }
    }

    @Test
    void error_endsTheEpochLikeAnyFailure_andTheNextOneCanBegin() throws Exception {
        Step failing = occasion -> {
            throw new NoClassDefFoundError("on purpose");
        };
        try (Resync resync = new Resync(config("{command: [x]}"), List.of(failing), side, 0, 0)) {
            assertThat(resync.ask(SECOND, 1)).isTrue();
            await("the end").until(() -> side.did.size() == 2);

            assertThat(side.did).containsExactly("cut hold", "go on out of step");
            assertThat(resync.current().problem()).contains("NoClassDefFoundError: on purpose");
            assertThat(resync.ask(2 * SECOND, 2)).isTrue();
            await("the second end").until(() -> resync.failed() == 2);
        }
    }

    @Test
    void errorWhileTheDebugSideIsCut_letsItGoOn() throws Exception {
        side.broken = true;
        try (Resync resync = new Resync(config("{command: [x]}"), List.of(), side, 0, 0)) {
            assertThat(resync.ask(SECOND, 1)).isTrue();
            await("the end").until(() -> side.did.size() == 1);
            assertThat(side.did).containsExactly("go on out of step");
        }
    }

    @Tag("process")
    @Test
    void command_thatTakesTooLong_isEnded() throws IOException {
        Step.Occasion occasion = new Step.Occasion("debug", side.address(), 2, Cause.ASKED, 0, Duration.ofMillis(200));
        IOException late =
                catchThrowableOfType(IOException.class, () -> new CommandStep(List.of("sleep", "600")).run(occasion));

        assertThat(late).hasMessageStartingWith("sleep took longer than");
    }

    private Triggers triggers(String settings) throws IOException {
        return new Triggers(config(settings));
    }

    private ResyncConfig config(String settings) throws IOException {
        Path file = Files.writeString(folder.resolve("settings.yaml"), "resync: " + settings + "\n");
        Problems problems = new Problems();
        return YamlFile.read(
                file,
                new Overrides(Map.of(), List.of(), problems),
                problems,
                top -> top.section("resync").build(ResyncConfig::read, ResyncConfig.none()));
    }

    private static final class Side implements Resync.DebugSide {
        private final List<String> did = Collections.synchronizedList(new ArrayList<>());
        private volatile ResyncStanding counted = ResyncStanding.NONE;
        private volatile boolean broken;

        @Override
        public String name() {
            return "debug";
        }

        @Override
        public SocketAddress address() {
            return InetSocketAddress.createUnresolved("localhost", 1);
        }

        @Override
        public ResyncStanding counted() {
            return counted;
        }

        @Override
        public void cut(boolean hold) {
            if (broken) {
                throw new OutOfMemoryError("on purpose");
            }
            did.add(hold ? "cut hold" : "cut drop");
        }

        @Override
        public void goOn(boolean inStep) {
            did.add(inStep ? "go on" : "go on out of step");
        }
    }
}

package dev.understudy.session.clone.process;

import dev.understudy.relay.TinyDisk;
import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.CloneForecast;
import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.ServiceSnapshot;
import dev.understudy.session.clone.checkpoint.Checkpoint;
import dev.understudy.session.clone.checkpoint.DumpScope;
import dev.understudy.session.clone.checkpoint.ProductionHealth;
import dev.understudy.session.clone.checkpoint.SnapshotFolder;
import dev.understudy.session.clone.facts.MachineFacts;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.clone.facts.ProcessFacts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Whatever happens to a snapshot, production runs on: a client compares its replies throughout. */
@NeedsCriu
final class CheckpointFaultsIT {
    /** Megabytes of heap, whose snapshot takes far longer than it takes to stop CRIU in the midst of it. */
    private static final int LONG = 300;

    private final MemoryLedger ledger = new MemoryLedger();

    @TempDir
    Path folder;

    private Path images;
    private Path criu;

    @BeforeEach
    void makeImages() throws Exception {
        images = Files.createTempDirectory(Path.of("/dev/shm"), "understudy-clone-test-");
        criu = NeedsCriu.Condition.program().file();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        try (var left = Files.list(images)) {
            assertThat(left).isEmpty();
        }
        Files.delete(images);
        assertThat(ledger.entries).isEmpty();
    }

    @Test
    void production_runsOn_whereverItsSnapshotIsGivenUp() throws Exception {
        assertRunsOnAtAllLimits();
    }

    @Test
    void production_runsOn_whereverCriuIsKilled_sinceItDoesNotGiveUp() throws Exception {
        // the one whose writes fail isn't the one that writes
        criu = program("deaf", criu + " \"$@\"; exit $?");
        assertRunsOnAtAllLimits();
    }

    private void assertRunsOnAtAllLimits() throws Exception {
        try (ProductionService production = ProductionService.start(folder, 100);
                SteadyClient client = new SteadyClient(production.port)) {
            client.awaitReplies(20);
            List<String> ends = new ArrayList<>();
            for (int millis : new int[] {20, 40, 60, 80, 100, 130, 170, 220, 300}) {
                ends.add(millis + " ms: " + outcome(production, Duration.ofMillis(millis)));
                assertRunsOn(production, client, ends.toString());
            }
            assertThat(ends.get(0))
                    .contains("took longer than max-suspend (20 ms) and was given up, the service runs on")
                    .contains("raise max-suspend");
            // and it can still be copied
            assertThat(outcome(production, Duration.ofSeconds(10))).isEqualTo("taken");
            assertRunsOn(production, client, "taken");
        }
    }

    @Test
    void production_runsOn_whenSomebodyKillsCriu_outsideOfItsFewBadMoments() throws Exception {
        Path real = criu;
        try (ProductionService production = ProductionService.start(folder, 150);
                SteadyClient client = new SteadyClient(production.port)) {
            client.awaitReplies(20);
            for (String phase : new String[] {"dump.log", "pages-1.img", "frozen.links"}) {
                criu = program("killed", whenMade(real, phase, "$!"));
                assertThat(outcome(production, Duration.ofSeconds(10)))
                        .as(phase)
                        .contains("the snapshot failed, the service runs on: criu dump ended with 137")
                        .doesNotContain("RLIMIT_NOFILE");
                assertRunsOn(production, client, phase);
            }
        }
    }

    @Test
    void snapshot_thatTakesTooLong_isGivenUpInGoodOrder_beforeItIsKilled() throws Exception {
        criu = program("slow", "((sleep 0.1; kill -STOP $$; sleep 4.8; kill -CONT $$) &); exec " + criu + " \"$@\"");
        try (ProductionService production = ProductionService.start(folder, LONG);
                SteadyClient client = new SteadyClient(production.port)) {
            client.awaitReplies(20);
            assertThat(outcome(production, Duration.ofSeconds(6))).contains("was given up");
            assertThat(leftovers(production)).isEmpty();
            client.awaitReplies(3);
            assertThat(client.failure()).isEmpty();
        }
    }

    @Test
    void criu_thatHangs_isKilledAtTheLimit() throws Exception {
        Path slow = program("stuck", criu + " \"$@\" & sleep 0.15; kill -STOP $!; wait");
        criu = slow;
        try (ProductionService production = ProductionService.start(folder, LONG);
                SteadyClient client = new SteadyClient(production.port)) {
            client.awaitReplies(20);
            long began = System.nanoTime();
            assertThat(outcome(production, Duration.ofMillis(1500))).contains("was given up, the service runs on");
            assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(8));
            client.awaitReplies(3);
            assertThat(client.failure()).isEmpty();
        }
    }

    @Test
    void snapshot_withoutRoom_fails_andNamesTheFolder() throws Exception {
        try (ProductionService production = ProductionService.start(folder, 50);
                SteadyClient client = new SteadyClient(production.port);
                TinyDisk disk = TinyDisk.mount(images.resolve("tiny"))) {
            client.awaitReplies(20);
            CloneLimits limits = new CloneLimits(Duration.ofSeconds(10), disk.folder, 256 << 20);
            assertThatThrownBy(() -> checkpoint(production, limits).take(disk.folder.resolve("image")))
                    .isInstanceOf(CloneException.class)
                    .hasMessageContaining("the service runs on")
                    .hasMessageContaining(disk.folder.toString());
            assertThat(disk.folder.resolve("image")).doesNotExist();
            client.awaitReplies(3);
            assertThat(client.failure()).isEmpty();
            CloneForecast forecast =
                    new ProcessDriver(NeedsCriu.Condition.program()).forecast(production.target, limits);
            assertThat(forecast.toString()).contains("name=image, outcome=REFUSE, finding=2 MB free");
        }
        Files.delete(images.resolve("tiny"));
    }

    @Test
    void production_thatEndsMeanwhile_isReported_andNothingIsLeft() throws Exception {
        try (ProductionService production = ProductionService.start(folder, 100)) {
            criu = program("deadly", whenMade(criu, "pages-1.img", Long.toString(production.target.pid())));
            assertThat(outcome(production, Duration.ofSeconds(10)))
                    .contains("process " + production.target.pid() + " has ended");
            assertThatThrownBy(() -> new ProcessDriver(NeedsCriu.Condition.program())
                            .snapshot(production.target, limits(Duration.ofSeconds(10)), ledger))
                    .isInstanceOf(CloneException.class)
                    .hasMessageContaining("has ended");
        }
    }

    @Test
    void tracedProduction_isRefused_byTheTracersPid() throws Exception {
        try (ProductionService production = ProductionService.start(folder, 5)) {
            Path script = folder.resolve("trace.py");
            Files.writeString(script, """
                    import ctypes, sys, time
                    libc = ctypes.CDLL(None, use_errno=True)
                    print(libc.ptrace(0x4206, int(sys.argv[1]), None, None), flush=True)
                    time.sleep(60)
                    """);
            Process tracer = new ProcessBuilder("python3", script.toString(), "" + production.target.pid()).start();
            try {
                assertThat(tracer.inputReader().readLine()).isEqualTo("0");
                assertThatThrownBy(() -> new ProcessDriver(NeedsCriu.Condition.program())
                                .snapshot(production.target, limits(Duration.ofSeconds(10)), ledger))
                        .isInstanceOf(CloneException.class)
                        .hasMessageContaining("tracer: process " + tracer.pid() + " debugs or traces it");
            } finally {
                tracer.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void productionInAContainer_isRefused_withItsOption() throws Exception {
        try (ProductionService production =
                ProductionService.start(folder, 5, "setsid", "unshare", "--mount", "--ipc")) {
            assertThatThrownBy(() -> new ProcessDriver(NeedsCriu.Condition.program())
                            .snapshot(production.target, limits(Duration.ofSeconds(10)), ledger))
                    .isInstanceOf(CloneException.class)
                    .hasMessageContaining("container: the process has namespaces of its own (mnt, ipc)")
                    .hasMessageContaining("name its container instead: --container NAME");
        }
    }

    private String outcome(ProductionService production, Duration limit) throws InterruptedException {
        Path directory = images.resolve("image");
        try {
            ServiceSnapshot snapshot = checkpoint(production, limits(limit)).take(directory);
            new SnapshotFolder(snapshot.directory()).delete();
            return "taken";
        } catch (CloneException failed) {
            assertThat(directory).doesNotExist();
            return String.valueOf(failed.getMessage());
        }
    }

    private Checkpoint checkpoint(ProductionService production, CloneLimits limits) throws InterruptedException {
        MachineFacts machine = MachineFacts.read(images);
        ProcessFacts facts = ProcessFacts.read(production.target);
        try {
            DumpScope scope = DumpScope.process(production.target.pid(), facts);
            return new Checkpoint(criu, machine, production.target, facts, limits, scope);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private CloneLimits limits(Duration suspension) {
        return new CloneLimits(suspension, images, 256 << 20);
    }

    /** Where CRIU was killed, its helper stays mapped; where it gave up, nothing does. */
    private static List<String> leftovers(ProductionService production) {
        return ProcFile.lines(ProcFile.of(production.target.pid(), "maps")).stream()
                .filter(line -> line.contains("CRIU"))
                .toList();
    }

    private static void assertRunsOn(ProductionService production, SteadyClient client, String what) throws Exception {
        client.awaitReplies(3);
        assertThat(client.failure()).as(what).isEmpty();
        assertThat(new ProductionHealth(production.target).problem()).as(what).isEmpty();
    }

    /** A CRIU that kills something once it has made a file. */
    private String whenMade(Path real, String file, String killed) {
        return real + " \"$@\" & until [ -e " + images.resolve("image").resolve(file)
                + " ]; do sleep 0.001; done; kill -9 " + killed + "; wait $!";
    }

    private Path program(String name, String script) throws Exception {
        Path file = folder.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file;
    }
}

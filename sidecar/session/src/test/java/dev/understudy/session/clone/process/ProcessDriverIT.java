package dev.understudy.session.clone.process;

import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.CloneForecast;
import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.CopyNames;
import dev.understudy.session.clone.DebugCopy;
import dev.understudy.session.clone.ServiceSnapshot;
import dev.understudy.session.clone.facts.CopyGroup;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.clone.facts.ProcessFacts;
import dev.understudy.session.ledger.LedgerEntry;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.target.TargetProcess;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Copies of a real JVM by the real CRIU. */
@NeedsCriu
final class ProcessDriverIT {
    private final MemoryLedger ledger = new MemoryLedger();
    private Path images;
    private CloneLimits limits;
    private ProcessDriver driver;

    @BeforeEach
    void makeImages() throws Exception {
        images = Files.createTempDirectory(Path.of("/dev/shm"), "understudy-clone-test-");
        limits = new CloneLimits(Duration.ofSeconds(10), images, 256 << 20);
        driver = new ProcessDriver(NeedsCriu.Condition.program());
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
    void copy_hasTheStateOfTheMoment_andProductionGoesOn(@TempDir Path folder) throws Exception {
        try (ProductionService production = ProductionService.start(folder, 20);
                TestNetwork network = new TestNetwork();
                SteadyClient client = new SteadyClient(production.port)) {
            for (int i = 0; i < 7; i++) {
                production.get("/count");
            }
            production.get("/put?poisoned=yes");
            String hash = production.get("/hash");
            CloneForecast forecast = driver.forecast(production.target, limits);
            assertThat(forecast.isPossible()).as(forecast.toString()).isTrue();

            ServiceSnapshot snapshot = driver.snapshot(production.target, limits, ledger);
            production.get("/count");
            production.get("/put?poisoned=no");
            DebugCopy copy = driver.restore(snapshot, network.world(), CopyNames.AS_HERE, ledger);
            driver.delete(snapshot, ledger);

            assertThat(production.getIn(network.name, "/state"))
                    .isEqualTo("counter=7 file=7 mapped=7 ghost=2097152 log=7");
            assertThat(production.getIn(network.name, "/get?poisoned")).isEqualTo("yes");
            assertThat(production.getIn(network.name, "/hash")).isEqualTo(hash);
            assertThat(snapshot.suspension()).isBetween(Duration.ofMillis(1), limits.suspension());
            for (int i = 0; i < 5; i++) {
                production.getIn(network.name, "/count");
            }
            assertThat(production.getIn(network.name, "/state"))
                    .isEqualTo("counter=12 file=12 mapped=12 ghost=2097152 log=12");
            assertThat(production.get("/state")).isEqualTo("counter=8 file=8 mapped=8 ghost=2097152 log=8");
            assertThat(production.get("/get?poisoned")).isEqualTo("no");
            assertThat(Files.readAllLines(folder.resolve("app.log"))).hasSize(8);

            driver.destroy(copy, ledger);
            assertThat(ProcFile.startTicks(copy.pid())).isNotEqualTo(copy.startTicks());
            client.awaitReplies(3);
            assertThat(client.failure()).isEmpty();
        }
    }

    @Test
    void service_inItsOwnNetwork_andOfAnotherUser_isCopiedWithIts(@TempDir Path folder) throws Exception {
        TestNetwork.run("chmod", "0777", folder.toString());
        TestNetwork.run("chmod", "0755", images.toString());
        try (TestNetwork own = new TestNetwork();
                TestNetwork network = new TestNetwork();
                ProductionService production = ProductionService.start(
                        folder,
                        20,
                        "setsid",
                        "nsenter",
                        "--net=/run/netns/" + own.name,
                        "setpriv",
                        "--reuid=65534",
                        "--regid=65534",
                        "--clear-groups",
                        "--bounding-set=-all")) {
            assertThat(production.getIn(own.name, "/count")).isEqualTo("1");
            assertThat(production.target.uid()).isEqualTo(65534);

            ServiceSnapshot snapshot = driver.snapshot(production.target, limits, ledger);
            DebugCopy copy = driver.restore(snapshot, network.world(), CopyNames.AS_HERE, ledger);
            driver.delete(snapshot, ledger);

            assertThat(production.getIn(network.name, "/count")).isEqualTo("2");
            assertThat(production.getIn(own.name, "/state")).isEqualTo("counter=1 file=1 mapped=1 ghost=2097152 log=1");
            Map<String, String> status = ProcFile.values(ProcFile.of(copy.pid(), "status"));
            assertThat(status.get("Uid")).startsWith("65534\t65534");
            assertThat(status.get("CapEff")).isEqualTo("0000000000000000");
            driver.destroy(copy, ledger);
        }
    }

    @Test
    void copy_resolvesNamesAsGiven_andHasLowPriority(@TempDir Path folder) throws Exception {
        try (ProductionService production = ProductionService.start(folder, 5);
                TestNetwork network = new TestNetwork()) {
            String hosts = Files.readString(Path.of("/etc/hosts"));
            String resolver = Files.readString(Path.of("/etc/resolv.conf"));
            ServiceSnapshot snapshot = driver.snapshot(production.target, limits, ledger);
            CopyNames names = new CopyNames(List.of("10.9.8.7 db.shop.test"), List.of("nameserver 10.9.8.1"));
            DebugCopy copy = driver.restore(snapshot, network.world(), names, ledger);
            driver.delete(snapshot, ledger);

            assertThat(production.getIn(network.name, "/resolve?db.shop.test")).isEqualTo("10.9.8.7");
            assertThat(Files.readString(ProcFile.of(copy.pid(), "root/etc/resolv.conf")))
                    .isEqualTo("nameserver 10.9.8.1\n");
            assertThat(Files.readString(ProcFile.of(copy.pid(), "root/etc/hosts")))
                    .isEqualTo("10.9.8.7 db.shop.test\n" + hosts);
            assertThat(Files.readString(Path.of("/etc/hosts"))).isEqualTo(hosts);
            assertThat(Files.readString(Path.of("/etc/resolv.conf"))).isEqualTo(resolver);
            if (CopyGroup.find(Path.of("/proc/self")).parent().isEmpty()) {
                for (Path thread : ProcFile.entries(ProcFile.of(copy.pid(), "task"))) {
                    long id = Long.parseLong(thread.getFileName().toString());
                    assertThat(ProcFile.stat(id).get(16)).isEqualTo("10");
                }
            }
            driver.destroy(copy, ledger);
        }
    }

    @Test
    void attachingToTheCopy_neverReachesProduction(@TempDir Path folder) throws Exception {
        try (ProductionService production = ProductionService.start(folder, 5);
                TestNetwork network = new TestNetwork()) {
            String jcmd =
                    Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
            TestNetwork.run(jcmd, "" + production.target.pid(), "VM.version");
            Path socket = Path.of("/tmp/.java_pid" + production.target.pid());
            assertThat(socket).exists();
            ServiceSnapshot snapshot = driver.snapshot(production.target, limits, ledger);
            DebugCopy copy = driver.restore(snapshot, network.world(), CopyNames.AS_HERE, ledger);
            driver.delete(snapshot, ledger);

            Path ofCopy = ProcFile.of(copy.pid(), "root" + socket);
            assertThat(ofCopy).exists();
            assertThat(Files.isSameFile(ofCopy, socket)).isFalse();
            Files.delete(socket);
            TestNetwork.run(jcmd, "" + copy.pid(), "VM.version");
            driver.destroy(copy, ledger);
        }
    }

    @Test
    void service_whoseOutputGoesToAnotherProcess_isCopied_andWritesIntoNothing(@TempDir Path folder) throws Exception {
        // what a supervisor with a pipe does, and systemd with its journal's socket
        Path supervisor = folder.resolve("supervisor.py");
        Files.writeString(supervisor, """
                import os, socket, subprocess, sys
                ours, theirs = socket.socketpair()
                child = subprocess.Popen(sys.argv[1:], stdout=theirs, stderr=theirs, start_new_session=True)
                theirs.close()
                print(child.pid, flush=True)
                while ours.recv(4096): pass
                """);
        for (boolean socket : new boolean[] {false, true}) {
            Path place = folder.resolve("socket" + socket);
            List<String> prefix = socket ? List.of("python3", supervisor.toString()) : List.of("setsid");
            try (ProductionService production = ProductionService.start(place, 5, prefix, socket);
                    TestNetwork network = new TestNetwork()) {
                TargetProcess target = production.target;
                if (socket) {
                    target = production.child();
                } else {
                    production.drain();
                }
                assertThat(ProcessFacts.read(target).outside()).hasSize(1);
                ServiceSnapshot snapshot = driver.snapshot(target, limits, ledger);
                DebugCopy copy = driver.restore(snapshot, network.world(), CopyNames.AS_HERE, ledger);
                driver.delete(snapshot, ledger);

                assertThat(production.getIn(network.name, "/count")).isEqualTo("1");
                assertThat(ProcFile.link(ProcFile.of(copy.pid(), "fd/1"))).isEqualTo("/dev/null");
                driver.destroy(copy, ledger);
            }
        }
    }

    @Test
    void service_thatLeadsNoSession_isCopied(@TempDir Path folder) throws Exception {
        try (ProductionService production =
                        ProductionService.start(folder, 5, "setsid", "sh", "-c", "\"$@\"; :", "sh");
                TestNetwork network = new TestNetwork()) {
            production.get("/count");
            ServiceSnapshot snapshot = driver.snapshot(production.child(), limits, ledger);
            DebugCopy copy = driver.restore(snapshot, network.world(), CopyNames.AS_HERE, ledger);
            driver.delete(snapshot, ledger);

            assertThat(production.getIn(network.name, "/count")).isEqualTo("2");
            // whoever interrupts the session's terminal doesn't end the copy
            assertThat(ledger.entries).hasSize(1);
            String sandbox = ledger.entries.get(0).words().get(0);
            for (long pid : List.of(Long.parseLong(sandbox), copy.pid())) {
                assertThat(ProcFile.stat(pid).get(3)).isEqualTo(sandbox);
            }
            driver.destroy(copy, ledger);
        }
    }

    @Test
    void snapshot_canBeRestoredTwice_andTheLedgerUndoesWhatIsLeft(@TempDir Path folder) throws Exception {
        try (ProductionService production = ProductionService.start(folder, 5);
                TestNetwork one = new TestNetwork();
                TestNetwork two = new TestNetwork()) {
            ServiceSnapshot snapshot = driver.snapshot(production.target, limits, ledger);
            DebugCopy first = driver.restore(snapshot, one.world(), CopyNames.AS_HERE, ledger);
            DebugCopy second = driver.restore(snapshot, two.world(), CopyNames.AS_HERE, ledger);
            assertThat(production.getIn(one.name, "/count")).isEqualTo("1");
            assertThat(production.getIn(two.name, "/count")).isEqualTo("1");

            // another program may end it, too
            new ProcessDriver(NeedsCriu.Condition.program()).destroy(first, ledger);
            for (LedgerEntry entry : List.copyOf(ledger.entries)) {
                ledger.undo(entry);
            }
            for (int i = 0; i < 200 && ProcFile.startTicks(second.pid()) == second.startTicks(); i++) {
                Thread.sleep(20);
            }
            assertThat(ProcFile.startTicks(first.pid())).isNotEqualTo(first.startTicks());
            assertThat(ProcFile.startTicks(second.pid())).isNotEqualTo(second.startTicks());
            assertThat(production.get("/count")).isEqualTo("1");
        }
    }

    @Test
    void restore_intoNoWorld_failsClearly_andLeavesTheSnapshot(@TempDir Path folder) throws Exception {
        try (ProductionService production = ProductionService.start(folder, 5)) {
            ServiceSnapshot snapshot = driver.snapshot(production.target, limits, ledger);
            CloneWorld nowhere = new CloneWorld(
                    "understudy-none", InetAddress.getLoopbackAddress(), InetAddress.getLoopbackAddress());

            assertThatThrownBy(() -> driver.restore(snapshot, nowhere, CopyNames.AS_HERE, ledger))
                    .isInstanceOf(CloneException.class)
                    .hasMessageContaining("the copy didn't start")
                    .hasMessageContaining("understudy-none");
            assertThat(ledger.entries).hasSize(1);
            assertThat(snapshot.directory()).isDirectory();
            assertThat(Files.getPosixFilePermissions(snapshot.directory()))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
            driver.delete(snapshot, ledger);
        }
    }
}

package dev.understudy.session.clone.process;

import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.CopyNames;
import dev.understudy.session.clone.ServiceSnapshot;
import dev.understudy.session.clone.checkpoint.Checkpoint;
import dev.understudy.session.clone.checkpoint.DumpScope;
import dev.understudy.session.clone.checkpoint.SnapshotFolder;
import dev.understudy.session.clone.facts.CopyGroup;
import dev.understudy.session.clone.facts.MachineFacts;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.clone.facts.ProcessFacts;
import dev.understudy.session.clone.sandbox.Sandbox;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.ledger.LedgerEntry;
import dev.understudy.session.target.TargetProcess;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Copies a process of its own, which listens on a port and is a JVM. There are versions of CRIU that pass {@code criu
 * check} and then fail each snapshot on some kernels.
 */
final class CriuTrial {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String LIFE = "60";

    private CriuTrial() {}

    /** Runs it; throws with what went wrong. */
    static void run(Path criu, Path images) throws CloneException, InterruptedException {
        Path work = null;
        Process process = null;
        try {
            work = Files.createTempDirectory(images, "understudy-trial-");
            process = start(work.resolve("ready"));
            awaitReady(process, work.resolve("ready"));
            copy(criu, process.pid(), work);
        } catch (IOException | URISyntaxException failed) {
            throw new CloneException("a process for the trial can't be started: " + failed.getMessage(), failed);
        } finally {
            if (process != null) {
                process.destroyForcibly().waitFor();
            }
            if (work != null) {
                new SnapshotFolder(work).delete();
            }
        }
    }

    private static void copy(Path criu, long pid, Path work) throws CloneException, IOException, InterruptedException {
        CloneLimits limits = new CloneLimits(LIMIT, work, 64 << 20);
        MachineFacts machine = MachineFacts.read(work);
        int uid = (int) machine.uid();
        TargetProcess target = new TargetProcess(pid, ProcFile.startTicks(pid), uid, uid, List.of("trial"), work);
        Ledger ledger = new NoLedger();
        ProcessFacts facts = ProcessFacts.read(target);
        Checkpoint checkpoint =
                new Checkpoint(criu, machine, target, facts, limits, DumpScope.process(target.pid(), facts));
        ServiceSnapshot snapshot = checkpoint.take(work.resolve("snapshot"));
        SnapshotFolder folder = new SnapshotFolder(snapshot.directory());
        CopyGroup none = new CopyGroup(Optional.empty());
        Sandbox sandbox =
                Sandbox.start(criu, folder, List.of("unshare", "--net"), LIFE, CopyNames.AS_HERE, none, ledger);
        sandbox.end(ledger);
    }

    private static Process start(Path ready) throws IOException, URISyntaxException {
        Path classes = Path.of(CriuTrial.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return new ProcessBuilder(
                        "setsid",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "-cp",
                        classes.toString(),
                        TrialService.class.getName(),
                        ready.toString())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void awaitReady(Process process, Path ready) throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (!Files.exists(ready)) {
            if (process.waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() - began > LIMIT.toNanos()) {
                throw new IOException("it didn't start within " + LIMIT.toSeconds() + " s");
            }
        }
    }

    /** What is copied. */
    static final class TrialService {
        private TrialService() {}

        /** Listens, writes a file, and ends by itself after a while. */
        public static void main(String[] args) throws Exception {
            try (ServerSocket server = new ServerSocket(0)) {
                Files.writeString(Path.of(args[0]), Integer.toString(server.getLocalPort()));
                Thread.sleep(Integer.parseInt(LIFE) * 1000L);
            }
        }
    }

    /** The trial ends by itself, whatever happens. */
    private static final class NoLedger implements Ledger {
        @Override
        public LedgerEntry add(LedgerEntry.Kind kind, String... words) {
            return new LedgerEntry(1, kind, List.of(words));
        }

        @Override
        public void remove(LedgerEntry entry) {
            // nothing was written down
        }

        @Override
        public boolean undo(LedgerEntry entry) {
            return false;
        }
    }
}

package dev.understudy.session.clone.checkpoint;

import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.ServiceSnapshot;
import dev.understudy.session.clone.facts.ForecastChecks;
import dev.understudy.session.clone.facts.MachineFacts;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.clone.facts.ProcessFacts;
import dev.understudy.session.target.TargetProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * Takes one snapshot with CRIU. Shortly before its limit it is given up in good order: what CRIU writes fails, and it
 * leaves the process as it was. At its limit it is killed, by {@link EngineEnd}. Either way the process runs on.
 */
public final class Checkpoint {
    /** Of the limit: what CRIU has for giving up in good order. */
    private static final double ORDERLY = 0.8;

    /** Should this program have ended: when CRIU is killed, whatever it does. */
    private static final Duration BACKSTOP = Duration.ofSeconds(10);

    private static final String CAPABILITIES = "+chown,+dac_override,+dac_read_search,+fowner,+kill,+setgid,+setuid,"
            + "+setpcap,+net_admin,+sys_chroot,+sys_ptrace,+sys_admin,+sys_nice,+checkpoint_restore";

    private final Path criu;
    private final MachineFacts machine;
    private final TargetProcess target;
    private final ProcessFacts process;
    private final CloneLimits limits;
    private final DumpScope scope;

    public Checkpoint(
            Path criu,
            MachineFacts machine,
            TargetProcess target,
            ProcessFacts process,
            CloneLimits limits,
            DumpScope scope) {
        this.criu = criu;
        this.machine = machine;
        this.target = target;
        this.process = process;
        this.limits = limits;
        this.scope = scope;
    }

    /** Takes it into a directory that isn't there yet, and that is gone again if this fails. */
    public ServiceSnapshot take(Path directory) throws CloneException, InterruptedException {
        SnapshotFolder folder = new SnapshotFolder(directory);
        boolean taken = false;
        try {
            SnapshotFolder.create(directory, "dump.sh", "frozen.sh", "restore.sh", "container.sh");
            try (FrozenFiles files = new FrozenFiles(folder, target.pid(), process.files())) {
                folder.writeNotes(notes());
                dump(folder);
                files.cut();
            }
            ServiceSnapshot snapshot = new ServiceSnapshot(directory, CriuImages.frozen(directory), folder.bytes());
            taken = true;
            return snapshot;
        } catch (IOException failed) {
            throw new CloneException(
                    "the snapshot failed, the service runs on: " + failed.getMessage() + "; is there room in "
                            + limits.images() + "?",
                    failed);
        } finally {
            if (!taken) {
                folder.delete();
            }
        }
    }

    private Properties notes() {
        Properties notes = new Properties();
        notes.setProperty("pid", Long.toString(target.pid()));
        notes.setProperty("writable", Long.toString(limits.writable()));
        notes.setProperty("memory", Long.toString(process.resident() * 2 + limits.writable() + (256L << 20)));
        notes.setProperty("leader", Boolean.toString(process.leader() == ProcessFacts.Leader.ITSELF));
        notes.setProperty("outside", String.join(" ", process.outside()));
        return notes;
    }

    private void dump(SnapshotFolder folder) throws IOException, CloneException, InterruptedException {
        if (machine.needsUserOf(target.uid())) {
            giveTo(folder, target.uid());
        }
        Map<String, String> environment = Map.of(
                "UNDERSTUDY_IMAGE", folder.directory().toString(),
                "UNDERSTUDY_TARGET", Long.toString(target.pid()),
                "UNDERSTUDY_IN_PLACE", Long.toString(ForecastChecks.MOST_IN_PLACE));
        Process dump = start(command(folder), environment, folder.path("run.log"));
        boolean isLate;
        try {
            isLate = !dump.waitFor(limits.suspension().toMillis(), TimeUnit.MILLISECONDS);
            if (isLate && !new EngineEnd(scope.processes()).kill(dump.toHandle())) {
                dump.waitFor(BACKSTOP.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            // by now it has ended, unless this was interrupted; then CRIU gives up by itself
            dump.destroyForcibly().waitFor();
        }
        String health = new ProductionHealth(target).problem();
        if (!health.isEmpty()) {
            throw new CloneException("after the snapshot: " + health);
        }
        if (isLate || dump.exitValue() != 0) {
            throw failure(folder, isLate, dump.exitValue());
        }
    }

    /** Not in the ledger: it ends by itself, and whoever kills it may take production along. */
    private static Process start(List<String> command, Map<String, String> environment, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    private CloneException failure(SnapshotFolder folder, boolean isLate, int code) throws InterruptedException {
        if (new ProductionHealth(target).hasEnded()) {
            return new CloneException(
                    "process " + target.pid() + " has ended while it was copied; look into the service's own log");
        }
        if (isLate || Files.exists(folder.path("late"))) {
            return new CloneException("the snapshot took longer than max-suspend ("
                    + limits.suspension().toMillis()
                    + " ms) and was given up, the service runs on; raise max-suspend, or try when the"
                    + " machine is quiet");
        }
        String why = folder.errors("dump.log");
        String output = String.join(" ", ProcFile.lines(folder.path("run.log")));
        String wayOut = why.contains("No space left") || output.contains("No space left")
                ? "; there isn't enough room in " + limits.images() + ", choose another directory for images"
                : "";
        return new CloneException("the snapshot failed, the service runs on: criu dump ended with " + code + ": "
                + (why.isEmpty() ? output.substring(0, Math.min(output.length(), 300)) : why) + wayOut);
    }

    private List<String> command(SnapshotFolder folder) {
        List<String> command = new ArrayList<>();
        command.addAll(
                List.of("timeout", "-s", "KILL", seconds(limits.suspension().plus(BACKSTOP))));
        if (machine.hasRealtime()) {
            command.addAll(List.of("chrt", "-f", "20"));
        }
        boolean asUser = machine.needsUserOf(target.uid());
        if (asUser) {
            command.addAll(List.of(
                    "setpriv",
                    "--reuid=" + target.uid(),
                    "--regid=" + target.gid(),
                    "--clear-groups",
                    "--inh-caps=" + CAPABILITIES,
                    "--ambient-caps=" + CAPABILITIES));
        }
        Duration orderly = Duration.ofNanos((long) (limits.suspension().toNanos() * ORDERLY));
        command.addAll(List.of("sh", folder.path("dump.sh").toString(), seconds(orderly)));
        command.addAll(scope.place());
        command.addAll(List.of(criu.toString(), "dump", "-t", Long.toString(scope.pid())));
        command.addAll(List.of("-D", folder.directory().toString(), "-o", "dump.log", "-v2"));
        command.addAll(List.of("--leave-running", "--tcp-close", "--skip-in-flight", "--network-lock", "skip"));
        command.addAll(List.of("--file-locks", "--ext-unix-sk", "--manage-cgroups=ignore"));
        command.addAll(List.of("--ghost-limit", Long.toString(ForecastChecks.LARGEST_DELETED)));
        command.addAll(scope.options());
        command.addAll(List.of("--action-script", folder.path("frozen.sh").toString()));
        if (asUser) {
            command.add("--unprivileged");
        }
        return command;
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e9);
    }

    private static void giveTo(SnapshotFolder folder, int uid) throws IOException {
        try (var walk = Files.walk(folder.directory())) {
            for (Path path : (Iterable<Path>) walk::iterator) {
                Files.setAttribute(path, "unix:uid", uid);
            }
        }
    }
}

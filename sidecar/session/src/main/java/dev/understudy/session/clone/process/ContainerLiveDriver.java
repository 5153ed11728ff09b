package dev.understudy.session.clone.process;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.session.clone.CloneCheck;
import dev.understudy.session.clone.CloneCheck.Outcome;
import dev.understudy.session.clone.CloneDriver;
import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.CloneForecast;
import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.CopyNames;
import dev.understudy.session.clone.DebugCopy;
import dev.understudy.session.clone.ServiceSnapshot;
import dev.understudy.session.clone.checkpoint.Checkpoint;
import dev.understudy.session.clone.checkpoint.DumpScope;
import dev.understudy.session.clone.checkpoint.SnapshotFolder;
import dev.understudy.session.clone.container.ContainerSpec;
import dev.understudy.session.clone.container.RuntimeContainer;
import dev.understudy.session.clone.facts.ForecastChecks;
import dev.understudy.session.clone.facts.MachineFacts;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.clone.facts.ProcessFacts;
import dev.understudy.session.clone.sandbox.ContainerSandbox;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.ledger.LedgerEntry;
import dev.understudy.session.ledger.LedgerEntry.Kind;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.target.ContainerFacts;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.sidecar.verdict.CopyState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Copies a container with its memory: CRIU takes the snapshot, and the container's own runtime restores it, as it does
 * for the engine's own checkpoints. The engine needs no support for those, and knows nothing of the copy.
 */
public final class ContainerLiveDriver implements CloneDriver {
    private static final List<String> RUNTIMES = List.of("runc");

    private final CriuProgram criu;
    private final ContainerFacts facts;
    private final Map<Path, Taken> snapshots = new HashMap<>();
    private final Map<DebugCopy, ContainerSandbox> copies = new HashMap<>();

    private record Taken(RuntimeContainer container, ContainerSpec spec, TargetProcess target, LedgerEntry entry) {}

    public ContainerLiveDriver(CriuProgram criu, ContainerFacts facts) {
        this.criu = criu;
        this.facts = facts;
    }

    @Override
    public String name() {
        return "container";
    }

    @Override
    public CopyState state() {
        return CopyState.LIVE;
    }

    @Override
    public boolean canRenew() {
        return false;
    }

    @Override
    public CloneForecast forecast(TargetProcess target, CloneLimits limits) throws InterruptedException {
        return forecast(target, ProcessFacts.read(target), MachineFacts.read(limits.images()), limits);
    }

    private CloneForecast forecast(TargetProcess target, ProcessFacts process, MachineFacts machine, CloneLimits limits)
            throws InterruptedException {
        List<CloneCheck> checks = new ArrayList<>(criu.checks(limits.images()));
        try {
            RuntimeContainer container = RuntimeContainer.find(facts);
            checks.addAll(checks(container, ContainerSpec.read(container.bundle()), target, process, machine));
        } catch (CloneException notCopied) {
            checks.add(new CloneCheck("container", Outcome.REFUSE, String.valueOf(notCopied.getMessage())));
        }
        return ForecastChecks.ofContainer(target, process, machine, checks, limits);
    }

    private static List<CloneCheck> checks(
            RuntimeContainer container,
            ContainerSpec spec,
            TargetProcess target,
            ProcessFacts process,
            MachineFacts machine) {
        List<CloneCheck> checks = new ArrayList<>();
        String problem = "";
        Set<String> others = others(container.pid(), process);
        if (!RUNTIMES.contains(container.program())) {
            problem = "it runs by " + container.program() + ", which restores nothing here; run it by runc"
                    + " (podman --runtime runc)";
        } else if (spec.hasTerminal()) {
            problem = "it has a terminal, which can't be copied; start it without -t";
        } else if (spec.hasOwnUsers()) {
            problem = "it has users of its own (userns-remap), which aren't copied; restart a copy instead";
        } else if (!spec.sharedNamespaces().isEmpty()) {
            problem = "it shares namespaces (" + String.join(", ", spec.sharedNamespaces())
                    + ") with others; start it without --pid, --ipc and --uts";
        } else if (machine.needsUserOf(target.uid())) {
            problem = "this root lacks cap_sys_resource, so it can't read the limits of user " + target.uid()
                    + "'s processes; run this where root has it";
        } else if (others.stream().anyMatch(end -> end.startsWith("socket:"))) {
            problem = "it is connected by a Unix socket to a process outside; close that, or restart a copy instead";
        }
        checks.add(new CloneCheck(
                "container",
                problem.isEmpty() ? Outcome.PASS : Outcome.REFUSE,
                problem.isEmpty() ? container.program() + " restores it in namespaces of its own" : problem));
        if (!others.isEmpty()) {
            checks.add(new CloneCheck("outside", Outcome.WARN, "broken in the copy: " + String.join(", ", others)));
        }
        spec.limits().forEach(limit -> checks.add(new CloneCheck("volumes", Outcome.WARN, limit)));
        return checks;
    }

    /** Its ends of connections to processes outside, but for those by which its engine reads what it prints. */
    private static Set<String> others(long first, ProcessFacts process) {
        Set<String> others = new HashSet<>(process.outside());
        descriptors(first).forEach(others::remove);
        return others;
    }

    /** What standard input and outputs are. */
    private static List<String> descriptors(long first) {
        List<String> links = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
            links.add(ProcFile.link(ProcFile.of(first, "fd/" + n)));
        }
        return links;
    }

    @Override
    public ServiceSnapshot snapshot(TargetProcess target, CloneLimits limits, Ledger ledger)
            throws CloneException, InterruptedException {
        MachineFacts machine = MachineFacts.read(limits.images());
        ProcessFacts process = ProcessFacts.read(target);
        forecast(target, process, machine, limits).requirePossible();
        RuntimeContainer container = RuntimeContainer.find(facts);
        ContainerSpec spec = ContainerSpec.read(container.bundle());
        Path directory = SnapshotFolder.place(limits, target);
        LedgerEntry entry = ledger.add(Kind.DIRECTORY, directory.toString());
        ServiceSnapshot snapshot = null;
        try {
            DumpScope scope = DumpScope.container(container, spec);
            ServiceSnapshot taken =
                    new Checkpoint(criu.file(), machine, target, process, limits, scope).take(directory);
            prepare(new SnapshotFolder(directory), container, target, limits);
            snapshots.put(directory, new Taken(container, spec, target, entry));
            snapshot = taken;
            return snapshot;
        } catch (IOException failed) {
            throw new CloneException("the snapshot can't be completed: " + failed.getMessage(), failed);
        } finally {
            if (snapshot == null && new SnapshotFolder(directory).delete()) {
                ledger.remove(entry);
            }
        }
    }

    /** What the runtime needs for a restore, besides CRIU's images. */
    private void prepare(SnapshotFolder folder, RuntimeContainer container, TargetProcess target, CloneLimits limits)
            throws IOException {
        folder.writeNotes(ContainerSandbox.notes(target, limits));
        Files.write(
                folder.path("descriptors.json"), new ObjectMapper().writeValueAsBytes(descriptors(container.pid())));
        folder.write("criu.conf", List.of("tcp-close", "file-locks", "ext-unix-sk"));
        Path programs = Files.createDirectory(folder.path("bin"));
        Path program = Files.write(
                programs.resolve("criu"),
                ("#!/bin/sh\nexec '" + criu.file().toString().replace("'", "'\\''") + "' \"$@\"\n")
                        .getBytes(StandardCharsets.UTF_8));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    @Override
    public DebugCopy restore(ServiceSnapshot snapshot, CloneWorld world, CopyNames names, Ledger ledger)
            throws CloneException, InterruptedException {
        Taken taken = snapshots.get(snapshot.directory());
        if (taken == null) {
            throw new CloneException(snapshot.directory() + ": no snapshot of this driver's");
        }
        SnapshotFolder folder = new SnapshotFolder(snapshot.directory());
        String image = folder.directory().toString();
        ContainerSandbox sandbox = ContainerSandbox.start(
                taken.container(),
                taken.spec(),
                folder,
                world,
                names,
                taken.spec().words(),
                taken.spec().environment(),
                List.of(
                        "PATH=" + folder.path("bin") + ":" + System.getenv().getOrDefault("PATH", "/usr/sbin:/usr/bin"),
                        "CRIU_CONFIG_FILE=" + folder.path("criu.conf")),
                List.of(
                        "restore",
                        "--image-path",
                        image,
                        "--work-path",
                        image,
                        "--manage-cgroups-mode",
                        "ignore",
                        "--file-locks",
                        "--ext-unix-sk"),
                taken.target(),
                folder.path("sandbox.log"),
                ledger);
        DebugCopy copy = new DebugCopy(state(), sandbox.copy(), ProcFile.startTicks(sandbox.copy()));
        copies.put(copy, sandbox);
        return copy;
    }

    @Override
    public void delete(ServiceSnapshot snapshot, Ledger ledger) {
        Taken taken = snapshots.get(snapshot.directory());
        if (new SnapshotFolder(snapshot.directory()).delete() && taken != null) {
            ledger.remove(taken.entry());
            snapshots.remove(snapshot.directory());
        }
    }

    @Override
    public void destroy(DebugCopy copy, Ledger ledger) throws InterruptedException {
        ContainerSandbox sandbox = copies.remove(copy);
        if (sandbox != null) {
            sandbox.end(ledger);
        }
    }
}

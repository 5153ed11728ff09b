package dev.understudy.session.clone.process;

import dev.understudy.session.clone.CloneCheck;
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
import dev.understudy.session.clone.facts.CopyGroup;
import dev.understudy.session.clone.facts.ForecastChecks;
import dev.understudy.session.clone.facts.MachineFacts;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.clone.facts.ProcessFacts;
import dev.understudy.session.clone.sandbox.Namespace;
import dev.understudy.session.clone.sandbox.Sandbox;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.ledger.LedgerEntry;
import dev.understudy.session.ledger.LedgerEntry.Kind;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.sidecar.verdict.CopyState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies a process of this machine with its memory, by CRIU. The copy shares no file, socket or process with
 * production: it has namespaces and a file system of its own.
 */
public final class ProcessDriver implements CloneDriver {
    private final CriuProgram criu;
    private final Map<Path, LedgerEntry> snapshots = new HashMap<>();
    private final Map<DebugCopy, Sandbox> copies = new HashMap<>();

    public ProcessDriver(CriuProgram criu) {
        this.criu = criu;
    }

    @Override
    public String name() {
        return "process";
    }

    @Override
    public CopyState state() {
        return CopyState.LIVE;
    }

    @Override
    public CloneForecast forecast(TargetProcess target, CloneLimits limits) throws InterruptedException {
        return ForecastChecks.of(
                target,
                ProcessFacts.read(target),
                MachineFacts.read(limits.images()),
                criu.checks(limits.images()),
                limits);
    }

    @Override
    public ServiceSnapshot snapshot(TargetProcess target, CloneLimits limits, Ledger ledger)
            throws CloneException, InterruptedException {
        MachineFacts machine = MachineFacts.read(limits.images());
        List<CloneCheck> engine = criu.checks(limits.images());
        ProcessFacts process = ProcessFacts.read(target);
        ForecastChecks.of(target, process, machine, engine, limits).requirePossible();
        Path directory = SnapshotFolder.place(limits, target);
        LedgerEntry entry = ledger.add(Kind.DIRECTORY, directory.toString());
        ServiceSnapshot snapshot = null;
        try {
            snapshot = new Checkpoint(
                            criu.file(), machine, target, process, limits, DumpScope.process(target.pid(), process))
                    .take(directory);
            snapshots.put(directory, entry);
            return snapshot;
        } catch (IOException gone) {
            throw new CloneException("process " + target.pid() + " has ended; choose it again by its new pid", gone);
        } finally {
            if (snapshot == null && !Files.exists(directory)) {
                ledger.remove(entry);
            }
        }
    }

    @Override
    public DebugCopy restore(ServiceSnapshot snapshot, CloneWorld world, CopyNames names, Ledger ledger)
            throws CloneException, InterruptedException {
        SnapshotFolder folder = new SnapshotFolder(snapshot.directory());
        List<String> network = List.of("nsenter", "--net=/run/netns/" + world.namespace());
        CopyGroup groups = CopyGroup.find(Path.of("/proc/self"));
        Sandbox sandbox = Sandbox.start(criu.file(), folder, network, "infinity", names, groups, ledger);
        DebugCopy copy = new DebugCopy(state(), sandbox.copy(), ProcFile.startTicks(sandbox.copy()));
        copies.put(copy, sandbox);
        return copy;
    }

    @Override
    public void delete(ServiceSnapshot snapshot, Ledger ledger) {
        LedgerEntry entry = snapshots.get(snapshot.directory());
        if (new SnapshotFolder(snapshot.directory()).delete() && entry != null) {
            ledger.remove(entry);
            snapshots.remove(snapshot.directory());
        }
    }

    @Override
    public void destroy(DebugCopy copy, Ledger ledger) throws InterruptedException {
        Sandbox sandbox = copies.remove(copy);
        if (sandbox != null) {
            sandbox.end(ledger);
        } else if (ProcFile.startTicks(copy.pid()) == copy.startTicks()) {
            Namespace.end(copy.pid());
        }
    }
}

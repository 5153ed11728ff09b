package dev.understudy.session.clone.process;

import dev.understudy.session.clone.CloneDriver;
import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.CopyAgent;
import dev.understudy.session.clone.CopyNames;
import dev.understudy.session.clone.DebugCopy;
import dev.understudy.session.clone.ServiceSnapshot;
import dev.understudy.session.clone.checkpoint.SnapshotFolder;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.ledger.LedgerEntry;
import dev.understudy.session.ledger.LedgerEntry.Kind;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.target.TargetProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Copies a service by starting it once more. Production isn't touched, and doesn't stand still; the copy's memory
 * begins anew. A snapshot is what is needed for a start.
 *
 * @param <P> what is read of production for a start
 */
abstract class SecondStart<P> implements CloneDriver {
    /** Where a copy finds its agent. */
    static final String JAR = "/understudy-agent.jar";

    private static final int TAIL = 20;

    private final Map<Path, StartPlan<P>> plans = new HashMap<>();
    private final Map<DebugCopy, CopyHandle> copies = new HashMap<>();

    private record StartPlan<P>(P service, Path log, LedgerEntry entry) {}

    private record CopyHandle(CopyStart start, Path log) {}

    /** A copy that runs in its sandbox. */
    record CopyStart(long pid, SandboxEnd sandbox) {}

    /** Ends a copy with its sandbox. */
    interface SandboxEnd {
        void end(Ledger ledger) throws InterruptedException;
    }

    abstract P read(TargetProcess target) throws CloneException, InterruptedException;

    abstract List<String> scripts();

    abstract Properties notes(TargetProcess target, CloneLimits limits);

    /**
     * Starts a copy.
     *
     * @param log of what it prints
     */
    abstract CopyStart start(
            P service,
            SnapshotFolder folder,
            Path log,
            CloneWorld world,
            CopyNames names,
            @Nullable CopyAgent agent,
            Ledger ledger)
            throws CloneException, InterruptedException;

    @Override
    public final ServiceSnapshot snapshot(TargetProcess target, CloneLimits limits, Ledger ledger)
            throws CloneException, InterruptedException {
        P service = read(target);
        Path directory = SnapshotFolder.place(limits, target);
        LedgerEntry entry = ledger.add(Kind.DIRECTORY, directory.toString());
        SnapshotFolder folder = new SnapshotFolder(directory);
        boolean isMade = false;
        try {
            SnapshotFolder.create(directory, scripts().toArray(String[]::new));
            folder.writeNotes(notes(target, limits));
            Path log = Files.createFile(
                    directory.resolveSibling(
                            directory.getFileName().toString().replaceFirst("understudy", "copy") + ".log"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            plans.put(directory, new StartPlan<>(service, log, entry));
            isMade = true;
            return new ServiceSnapshot(directory, Duration.ZERO, folder.bytes());
        } catch (IOException failed) {
            throw new CloneException(
                    "the copy's files can't be written: " + failed.getMessage() + "; is there room in "
                            + limits.images() + "?",
                    failed);
        } finally {
            if (!isMade && folder.delete()) {
                ledger.remove(entry);
            }
        }
    }

    @Override
    public final boolean startsAgent() {
        return true;
    }

    @Override
    public final DebugCopy restore(ServiceSnapshot snapshot, CloneWorld world, CopyNames names, Ledger ledger)
            throws CloneException, InterruptedException {
        return start(snapshot, world, names, null, ledger);
    }

    @Override
    public final DebugCopy restore(
            ServiceSnapshot snapshot, CloneWorld world, CopyNames names, CopyAgent agent, Ledger ledger)
            throws CloneException, InterruptedException {
        return start(snapshot, world, names, agent, ledger);
    }

    private DebugCopy start(
            ServiceSnapshot snapshot, CloneWorld world, CopyNames names, @Nullable CopyAgent agent, Ledger ledger)
            throws CloneException, InterruptedException {
        StartPlan<P> plan = plans.get(snapshot.directory());
        if (plan == null) {
            throw new CloneException(snapshot.directory() + ": no snapshot of this driver's");
        }
        SnapshotFolder folder = new SnapshotFolder(snapshot.directory());
        CopyStart start = start(plan.service(), folder, plan.log(), world, names, agent, ledger);
        DebugCopy copy = new DebugCopy(state(), start.pid(), ProcFile.startTicks(start.pid()));
        copies.put(copy, new CopyHandle(start, plan.log()));
        return copy;
    }

    @Override
    public final List<String> output(DebugCopy copy) {
        CopyHandle running = copies.get(copy);
        List<String> lines = running == null ? List.of() : ProcFile.lines(running.log());
        return lines.subList(Math.max(0, lines.size() - TAIL), lines.size());
    }

    @Override
    public final void delete(ServiceSnapshot snapshot, Ledger ledger) {
        StartPlan<P> plan = plans.get(snapshot.directory());
        if (plan != null && new SnapshotFolder(snapshot.directory()).delete()) {
            ledger.remove(plan.entry());
            plans.remove(snapshot.directory());
        }
    }

    @Override
    public final void destroy(DebugCopy copy, Ledger ledger) throws InterruptedException {
        CopyHandle running = copies.remove(copy);
        if (running != null) {
            running.start().sandbox().end(ledger);
        }
    }
}

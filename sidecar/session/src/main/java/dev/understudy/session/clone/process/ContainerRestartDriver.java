package dev.understudy.session.clone.process;

import dev.understudy.session.clone.CloneDriver;
import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.CloneForecast;
import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.CopyAgent;
import dev.understudy.session.clone.CopyNames;
import dev.understudy.session.clone.DebugCopy;
import dev.understudy.session.clone.ServiceSnapshot;
import dev.understudy.session.clone.checkpoint.SnapshotFolder;
import dev.understudy.session.clone.container.ContainerSpec;
import dev.understudy.session.clone.container.RuntimeContainer;
import dev.understudy.session.clone.facts.MachineFacts;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.clone.facts.ProcessFacts;
import dev.understudy.session.clone.restart.CopyCommand;
import dev.understudy.session.clone.restart.ServiceCommand;
import dev.understudy.session.clone.sandbox.ContainerSandbox;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.ledger.LedgerEntry;
import dev.understudy.session.ledger.LedgerEntry.Kind;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.target.ContainerFacts;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.sidecar.verdict.CopyState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Copies a container by starting it once more: same files, options, environment, rights and limits, in another network,
 * and with writes that stay in the copy. Production isn't touched. The copy's memory begins anew.
 */
public final class ContainerRestartDriver implements CloneDriver {
    private static final int TAIL = 20;
    private static final String JAR = "/understudy-agent.jar";

    private final ContainerFacts facts;
    private final Map<Path, CopyPlan> plans = new HashMap<>();
    private final Map<DebugCopy, CopyHandle> copies = new HashMap<>();

    private record CopyPlan(
            RuntimeContainer container, ContainerSpec spec, TargetProcess target, Path log, LedgerEntry entry) {}

    private record CopyHandle(ContainerSandbox sandbox, Path log) {}

    public ContainerRestartDriver(ContainerFacts facts) {
        this.facts = facts;
    }

    @Override
    public String name() {
        return "container-restart";
    }

    @Override
    public CopyState state() {
        return CopyState.RESTARTED;
    }

    @Override
    public boolean canRenew() {
        return false;
    }

    @Override
    public CloneForecast forecast(TargetProcess target, CloneLimits limits) throws InterruptedException {
        return new CloneForecast(
                RestartChecks.of(facts, target, ProcessFacts.read(target), MachineFacts.read(limits.images())),
                Duration.ZERO);
    }

    @Override
    public ServiceSnapshot snapshot(TargetProcess target, CloneLimits limits, Ledger ledger)
            throws CloneException, InterruptedException {
        RuntimeContainer container = RuntimeContainer.find(facts);
        ContainerSpec spec = ContainerSpec.read(container.bundle());
        String name = target.pid() + "-" + UUID.randomUUID().toString().substring(0, 8);
        Path directory = limits.images().resolve("understudy-" + name);
        LedgerEntry entry = ledger.add(Kind.DIRECTORY, directory.toString());
        SnapshotFolder folder = new SnapshotFolder(directory);
        boolean isMade = false;
        try {
            SnapshotFolder.create(directory, "container.sh");
            folder.writeNotes(ContainerSandbox.notes(target, limits));
            Path log = Files.createFile(
                    limits.images().resolve("copy-" + name + ".log"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            plans.put(directory, new CopyPlan(container, spec, target, log, entry));
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
    public boolean startsAgent() {
        return true;
    }

    @Override
    public DebugCopy restore(ServiceSnapshot snapshot, CloneWorld world, CopyNames names, Ledger ledger)
            throws CloneException, InterruptedException {
        return start(snapshot, world, names, null, ledger);
    }

    @Override
    public DebugCopy restore(
            ServiceSnapshot snapshot, CloneWorld world, CopyNames names, CopyAgent agent, Ledger ledger)
            throws CloneException, InterruptedException {
        return start(snapshot, world, names, agent, ledger);
    }

    private DebugCopy start(
            ServiceSnapshot snapshot, CloneWorld world, CopyNames names, @Nullable CopyAgent agent, Ledger ledger)
            throws CloneException, InterruptedException {
        CopyPlan plan = plans.get(snapshot.directory());
        if (plan == null) {
            throw new CloneException(snapshot.directory() + ": no snapshot of this driver's");
        }
        SnapshotFolder folder = new SnapshotFolder(snapshot.directory());
        CopyCommand command = command(plan.spec());
        if (agent != null) {
            try {
                Files.copy(agent.jar(), folder.path("agent.jar"));
            } catch (IOException failed) {
                throw new CloneException("the agent can't be copied: " + failed.getMessage(), failed);
            }
            command = command.with(JAR, agent.settings());
        }
        ContainerSandbox sandbox = ContainerSandbox.start(
                plan.container(),
                plan.spec(),
                folder,
                world,
                names,
                command.words(),
                command.environment(),
                List.of(),
                List.of("run"),
                plan.target(),
                plan.log(),
                ledger);
        DebugCopy copy = new DebugCopy(state(), sandbox.copy(), ProcFile.startTicks(sandbox.copy()));
        copies.put(copy, new CopyHandle(sandbox, plan.log()));
        return copy;
    }

    /** Production's own, without what would wait for somebody or reach out. */
    public static CopyCommand command(ContainerSpec spec) throws CloneException {
        List<String> words = spec.words();
        if (words.isEmpty()) {
            throw new CloneException("the container has no command line (expected: one)");
        }
        // what runs it has user, groups, directory and limits by the specification
        return CopyCommand.of(new ServiceCommand(
                words.get(0), words, spec.environment(), "/", "0", "0", List.of(), "0022", "unlimited"));
    }

    @Override
    public List<String> output(DebugCopy copy) {
        CopyHandle running = copies.get(copy);
        List<String> lines = running == null ? List.of() : ProcFile.lines(running.log());
        return lines.subList(Math.max(0, lines.size() - TAIL), lines.size());
    }

    @Override
    public void delete(ServiceSnapshot snapshot, Ledger ledger) {
        CopyPlan plan = plans.get(snapshot.directory());
        if (plan != null && new SnapshotFolder(snapshot.directory()).delete()) {
            ledger.remove(plan.entry());
            plans.remove(snapshot.directory());
        }
    }

    @Override
    public void destroy(DebugCopy copy, Ledger ledger) throws InterruptedException {
        CopyHandle running = copies.remove(copy);
        if (running != null) {
            running.sandbox().end(ledger);
        }
    }
}

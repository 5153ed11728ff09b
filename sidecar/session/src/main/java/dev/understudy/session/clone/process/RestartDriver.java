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
import dev.understudy.session.clone.facts.CopyGroup;
import dev.understudy.session.clone.facts.MachineFacts;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.clone.facts.ProcessFacts;
import dev.understudy.session.clone.restart.CopyCommand;
import dev.understudy.session.clone.restart.ServiceCommand;
import dev.understudy.session.clone.sandbox.Sandbox;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.ledger.LedgerEntry;
import dev.understudy.session.ledger.LedgerEntry.Kind;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.sidecar.verdict.CopyState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Copies a process of this machine by starting its command once more, in namespaces and a file system of its own.
 * Production isn't touched, and doesn't stand still. The copy's memory begins anew.
 */
public final class RestartDriver implements CloneDriver {
    /** What it is called in a plan. */
    public static final String NAME = "restart";

    private static final int TAIL = 20;
    private static final String JAR = "/understudy-agent.jar";

    /** Beside the heap that production has now, for a JVM that has just begun, in bytes. */
    private static final long HEADROOM = 256L << 20;

    private final CopyState state;
    private final int debugger;
    private final Map<Path, CopyPlan> plans = new HashMap<>();
    private final Map<DebugCopy, CopyHandle> copies = new HashMap<>();

    private record CopyPlan(ServiceCommand service, Path log, LedgerEntry entry) {}

    private record CopyHandle(Sandbox sandbox, Path log) {}

    /**
     * One of copies that begin so.
     *
     * @param state {@code COLD} if production's own start is recorded, else {@code RESTARTED}
     * @param debugger the port in the copy's network at which a debugger connects; 0 for none
     */
    public RestartDriver(CopyState state, int debugger) {
        this.state = state;
        this.debugger = debugger;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public CopyState state() {
        return state;
    }

    @Override
    public CloneForecast forecast(TargetProcess target, CloneLimits limits) throws InterruptedException {
        return new CloneForecast(
                RestartChecks.of(target, ProcessFacts.read(target), MachineFacts.read(limits.images()), state),
                Duration.ZERO);
    }

    /** The same for a service that this machine will run by a command. */
    public CloneForecast forecast(List<String> command, CloneLimits limits) throws InterruptedException {
        return new CloneForecast(RestartChecks.of(command, MachineFacts.read(limits.images())), Duration.ZERO);
    }

    @Override
    public ServiceSnapshot snapshot(TargetProcess target, CloneLimits limits, Ledger ledger) throws CloneException {
        ServiceCommand service = ServiceCommand.read(ProcFile.of(target.pid(), ""));
        if (ProcFile.startTicks(target.pid()) != target.startTicks()) {
            throw new CloneException("process " + target.pid() + " has ended; choose it again by its new pid");
        }
        String name = target.pid() + "-" + UUID.randomUUID().toString().substring(0, 8);
        Path directory = limits.images().resolve("understudy-" + name);
        LedgerEntry entry = ledger.add(Kind.DIRECTORY, directory.toString());
        SnapshotFolder folder = new SnapshotFolder(directory);
        boolean isMade = false;
        try {
            SnapshotFolder.create(directory, "restore.sh", "start.sh");
            folder.writeNotes(notes(target, limits));
            Path log = Files.createFile(
                    limits.images().resolve("copy-" + name + ".log"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            plans.put(directory, new CopyPlan(service, log, entry));
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

    private static Properties notes(TargetProcess target, CloneLimits limits) {
        long resident = ProcFile.number(
                        ProcFile.values(ProcFile.of(target.pid(), "status")).get("VmRSS"))
                << 10;
        Properties notes = new Properties();
        notes.setProperty("pid", Long.toString(target.pid()));
        notes.setProperty("writable", Long.toString(limits.writable()));
        notes.setProperty("memory", Long.toString(resident * 2 + limits.writable() + HEADROOM));
        return notes;
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
        try {
            CopyCommand command = CopyCommand.of(plan.service());
            if (agent != null) {
                Files.copy(agent.jar(), folder.path("agent.jar"));
                command = command.with(JAR, agent.settings());
            }
            if (debugger > 0) {
                command = command.withDebugger(debugger);
            }
            Files.write(folder.path("words"), words(command.asUser(plan.service())));
        } catch (IOException failed) {
            throw new CloneException("the copy's command can't be written: " + failed.getMessage(), failed);
        }
        String image = snapshot.directory().toString();
        Sandbox sandbox = Sandbox.start(
                List.of(
                        "sh",
                        folder.path("start.sh").toString(),
                        image,
                        plan.service().files()),
                folder,
                List.of("nsenter", "--net=/run/netns/" + world.namespace()),
                "infinity",
                names,
                CopyGroup.find(Path.of("/proc/self")),
                plan.log(),
                ledger);
        DebugCopy copy = new DebugCopy(state, sandbox.copy(), ProcFile.startTicks(sandbox.copy()));
        copies.put(copy, new CopyHandle(sandbox, plan.log()));
        return copy;
    }

    private static byte[] words(List<String> words) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String word : words) {
            bytes.writeBytes(word.getBytes(StandardCharsets.ISO_8859_1));
            bytes.write(0);
        }
        return bytes.toByteArray();
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

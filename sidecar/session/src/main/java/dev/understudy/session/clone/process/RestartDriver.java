package dev.understudy.session.clone.process;

import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.CloneForecast;
import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.CopyAgent;
import dev.understudy.session.clone.CopyNames;
import dev.understudy.session.clone.checkpoint.SnapshotFolder;
import dev.understudy.session.clone.facts.CopyGroup;
import dev.understudy.session.clone.facts.MachineFacts;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.clone.facts.ProcessFacts;
import dev.understudy.session.clone.restart.CopyCommand;
import dev.understudy.session.clone.restart.ServiceCommand;
import dev.understudy.session.clone.sandbox.Sandbox;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.sidecar.verdict.CopyState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Copies a process of this machine by starting its command once more, in namespaces and a file system of its own.
 */
public final class RestartDriver extends SecondStart<ServiceCommand> {
    /** What it is called in a plan. */
    public static final String NAME = "restart";

    /** Beside the heap that production has now, for a JVM that has just begun, in bytes. */
    private static final long HEADROOM = 256L << 20;

    private final CopyState state;
    private final int debugger;

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
    ServiceCommand read(TargetProcess target) throws CloneException {
        ServiceCommand service = ServiceCommand.read(ProcFile.of(target.pid(), ""));
        if (ProcFile.startTicks(target.pid()) != target.startTicks()) {
            throw new CloneException("process " + target.pid() + " has ended; choose it again by its new pid");
        }
        return service;
    }

    @Override
    List<String> scripts() {
        return List.of("restore.sh", "start.sh");
    }

    @Override
    Properties notes(TargetProcess target, CloneLimits limits) {
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
    CopyStart start(
            ServiceCommand service,
            SnapshotFolder folder,
            Path log,
            CloneWorld world,
            CopyNames names,
            @Nullable CopyAgent agent,
            Ledger ledger)
            throws CloneException, InterruptedException {
        try {
            CopyCommand command = CopyCommand.of(service);
            if (agent != null) {
                Files.copy(agent.jar(), folder.path("agent.jar"));
                command = command.with(JAR, agent.settings());
            }
            if (debugger > 0) {
                command = command.withDebugger(debugger);
            }
            Files.write(folder.path("words"), words(command.asUser(service)));
        } catch (IOException failed) {
            throw new CloneException("the copy's command can't be written: " + failed.getMessage(), failed);
        }
        Sandbox sandbox = Sandbox.start(
                List.of(
                        "sh",
                        folder.path("start.sh").toString(),
                        folder.directory().toString(),
                        service.files()),
                folder,
                List.of("nsenter", "--net=/run/netns/" + world.namespace()),
                "infinity",
                names,
                CopyGroup.find(Path.of("/proc/self")),
                log,
                ledger);
        return new CopyStart(sandbox.copy(), sandbox::end);
    }

    private static byte[] words(List<String> words) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String word : words) {
            bytes.writeBytes(word.getBytes(StandardCharsets.ISO_8859_1));
            bytes.write(0);
        }
        return bytes.toByteArray();
    }
}

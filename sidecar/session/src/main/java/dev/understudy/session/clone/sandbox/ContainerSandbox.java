package dev.understudy.session.clone.sandbox;

import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.CopyNames;
import dev.understudy.session.clone.checkpoint.SnapshotFolder;
import dev.understudy.session.clone.container.ContainerSpec;
import dev.understudy.session.clone.container.RuntimeContainer;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.target.TargetProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * Runs a copy of a container by production's own low-level runtime, from production's specification. Its namespaces are
 * within those of a {@link Sandbox}, with which it ends. The engine knows nothing of it.
 */
public final class ContainerSandbox {
    /** Beside the memory that production has now, in bytes. */
    private static final long HEADROOM = 256L << 20;

    private static final Path GROUPS = Path.of("/sys/fs/cgroup");

    private final Sandbox sandbox;
    private final String group;

    private ContainerSandbox(Sandbox sandbox, String group) {
        this.sandbox = sandbox;
        this.group = group;
    }

    /** What {@link #start} needs to know later of production as it is now. */
    public static Properties notes(TargetProcess target, CloneLimits limits) {
        long resident = ProcFile.number(
                        ProcFile.values(ProcFile.of(target.pid(), "status")).get("VmRSS"))
                << 10;
        Properties notes = new Properties();
        notes.setProperty("pid", Long.toString(Namespace.innerPid(target.pid())));
        notes.setProperty("writable", Long.toString(limits.writable()));
        notes.setProperty("memory", Long.toString(resident * 2 + limits.writable() + HEADROOM));
        return notes;
    }

    /**
     * Starts it.
     *
     * @param folder with {@link #notes}, and files of production as they were
     * @param words its command line, and {@code environment} likewise
     * @param settings what the runtime gets in its environment, each {@code NAME=VALUE}
     * @param action what the runtime does, with its options
     * @param target production, whose like is looked for in it
     * @param log gets what it prints
     */
    public static ContainerSandbox start(
            RuntimeContainer container,
            ContainerSpec spec,
            SnapshotFolder folder,
            CloneWorld world,
            CopyNames names,
            List<String> words,
            List<String> environment,
            List<String> settings,
            List<String> action,
            TargetProcess target,
            Path log,
            Ledger ledger)
            throws CloneException, InterruptedException {
        String name = folder.directory().getFileName().toString();
        Path box = folder.path("box");
        try {
            folder.write("mounts", spec.mountLines());
            folder.write("own", spec.ownMounts());
            Files.write(
                    folder.path("config.json"),
                    spec.copy(
                            box,
                            Path.of("/run/netns", world.namespace()),
                            "/" + name,
                            words,
                            environment,
                            ProcFile.number(folder.notes().getProperty("memory"))));
        } catch (IOException failed) {
            throw new CloneException("the copy's specification can't be written: " + failed.getMessage(), failed);
        }
        List<String> starter = new ArrayList<>(List.of(container.rootfs().toString(), "env"));
        starter.addAll(settings);
        starter.addAll(
                List.of(container.program(), "--root", folder.path("state").toString()));
        starter.addAll(action);
        starter.addAll(List.of("--detach", "--bundle", folder.directory().toString(), name));
        return new ContainerSandbox(Sandbox.contain(starter, folder, names, target, log, ledger), name);
    }

    /** Its JVM, as this machine counts. */
    public long copy() {
        return sandbox.copy();
    }

    /** Ends it. */
    public void end(Ledger ledger) throws InterruptedException {
        sandbox.end(ledger);
        // not in the ledger: a group that is left behind is empty, and harmless
        Namespace.deleteGroup(GROUPS.resolve(group));
        for (Path controller : ProcFile.entries(GROUPS)) {
            if (Files.isDirectory(controller.resolve(group))) {
                Namespace.deleteGroup(controller.resolve(group));
            }
        }
    }
}

package dev.understudy.session.clone.sandbox;

import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.CopyNames;
import dev.understudy.session.clone.checkpoint.SnapshotFolder;
import dev.understudy.session.clone.facts.CopyGroup;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.ledger.LedgerProcess;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.session.target.survey.TargetSurveyor;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a copy runs in: namespaces of its own for mounts, processes, IPC and time, in a network namespace that was made
 * before. It ends with its first process, and everything in it.
 */
public final class Sandbox {
    private static final String COPY = "copy.pid";
    private static final int TAIL = 10;
    private static final long END_LIMIT = 10;
    private static final long START_LIMIT = TimeUnit.SECONDS.toNanos(150);

    private final LedgerProcess outer;
    private final @Nullable Path group;
    private long copy;

    private Sandbox(LedgerProcess outer, @Nullable Path group) {
        this.outer = outer;
        this.group = group;
    }

    /**
     * Starts a copy of a snapshot with memory.
     *
     * @param network what enters its network: words before a command
     * @param life after how many seconds it ends by itself, or {@code infinity}
     */
    public static Sandbox start(
            Path criu,
            SnapshotFolder folder,
            List<String> network,
            String life,
            CopyNames names,
            CopyGroup groups,
            Ledger ledger)
            throws CloneException, InterruptedException {
        try {
            Properties notes = folder.notes();
            Path log = folder.path("sandbox.log");
            return start(restoring(criu, folder, notes), folder, network, life, names, groups, log, ledger);
        } catch (IOException failed) {
            throw new CloneException("the copy didn't start: " + failed.getMessage(), failed);
        }
    }

    /**
     * Starts a copy.
     *
     * @param starter what starts it in there, and returns once it runs; it writes the copy's process id in there to
     *     {@code copy.pid}, unless that is production's
     * @param log gets what it prints
     */
    public static Sandbox start(
            List<String> starter,
            SnapshotFolder folder,
            List<String> network,
            String life,
            CopyNames names,
            CopyGroup groups,
            Path log,
            Ledger ledger)
            throws CloneException, InterruptedException {
        return start(
                notes -> command("restore.sh", starter, folder, network, life, notes),
                (sandbox, inner) -> sandbox.find(inner, log),
                folder,
                names,
                groups,
                log,
                ledger);
    }

    /**
     * Starts a copy of a container, in namespaces within its own.
     *
     * @param starter the container's root directory, and then what starts the copy and returns once it runs
     * @param target production, whose like is looked for in it
     */
    static Sandbox contain(
            List<String> starter, SnapshotFolder folder, CopyNames names, TargetProcess target, Path log, Ledger ledger)
            throws CloneException, InterruptedException {
        return start(
                notes -> command("container.sh", starter, folder, List.of(), "infinity", notes),
                (sandbox, inner) -> sandbox.findLike(target, log),
                folder,
                names,
                new CopyGroup(Optional.empty()),
                log,
                ledger);
    }

    /** Finds the copy among the processes of a sandbox. */
    private interface CopySearch {
        long in(Sandbox sandbox, long inner) throws CloneException, InterruptedException;
    }

    private static Sandbox start(
            Function<Properties, List<String>> command,
            CopySearch search,
            SnapshotFolder folder,
            CopyNames names,
            CopyGroup groups,
            Path log,
            Ledger ledger)
            throws CloneException, InterruptedException {
        Sandbox sandbox = null;
        try {
            for (String old : List.of("restored", "restore.log", "sandbox.log", COPY)) {
                Files.deleteIfExists(folder.path(old));
            }
            folder.write("hosts", names.hosts());
            folder.write("resolver", names.resolver());
            Properties notes = folder.notes();
            sandbox = gated(command.apply(notes), folder, notes, groups, log, ledger);
            sandbox.outer.open();
            sandbox.await(folder, log);
            List<String> own = ProcFile.lines(folder.path(COPY));
            sandbox.copy = search.in(sandbox, ProcFile.number(own.isEmpty() ? notes.getProperty("pid") : own.get(0)));
            if (sandbox.group == null) {
                Niceness.lower(sandbox.copy);
            }
            Sandbox started = sandbox;
            sandbox = null;
            return started;
        } catch (IOException failed) {
            throw new CloneException("the copy didn't start: " + failed.getMessage(), failed);
        } finally {
            if (sandbox != null) {
                sandbox.end(ledger);
            }
        }
    }

    private static Sandbox gated(
            List<String> command, SnapshotFolder folder, Properties notes, CopyGroup groups, Path log, Ledger ledger)
            throws IOException, InterruptedException {
        // not in the ledger: a group that is left behind is empty, and harmless
        Path group = null;
        if (groups.parent().isPresent()) {
            String name = folder.directory().getFileName() + "-" + Long.toHexString(System.nanoTime());
            group = groups.make(name, ProcFile.number(notes.getProperty("memory")))
                    .orElse(null);
        }
        LedgerProcess outer = LedgerProcess.prepare(
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile())),
                ledger,
                "copy");
        Sandbox sandbox = new Sandbox(outer, group);
        if (group != null) {
            try {
                Files.writeString(
                        group.resolve("cgroup.procs"),
                        Long.toString(outer.process().pid()));
            } catch (IOException refused) {
                sandbox.end(ledger);
                throw refused;
            }
        }
        return sandbox;
    }

    private static List<String> command(
            String script,
            List<String> starter,
            SnapshotFolder folder,
            List<String> network,
            String life,
            Properties notes) {
        // a session of its own: Ctrl-C in a terminal ends what is in the terminal's
        List<String> command = new ArrayList<>(List.of("setsid"));
        command.addAll(network);
        command.addAll(List.of("unshare", "--mount", "--pid", "--ipc", "--fork", "--kill-child"));
        command.addAll(
                List.of("sh", folder.path(script).toString(), folder.directory().toString()));
        command.addAll(List.of(notes.getProperty("pid", ""), notes.getProperty("writable", ""), life));
        command.addAll(starter);
        return command;
    }

    private static List<String> restoring(Path criu, SnapshotFolder folder, Properties notes) {
        List<String> command = new ArrayList<>(
                List.of(criu.toString(), "restore", "-D", folder.directory().toString()));
        command.addAll(List.of("-o", "restore.log", "-v2", "-d", "--tcp-close", "--file-locks", "--ext-unix-sk"));
        command.addAll(List.of("--manage-cgroups=ignore", "--inherit-fd", "fd[8]:understudy-net"));
        for (String end : notes.getProperty("outside", "").split(" ", -1)) {
            if (!end.isEmpty()) {
                command.addAll(List.of("--inherit-fd", "fd[9]:" + end));
            }
        }
        if (!notes.getProperty("leader", "true").equals("true")) {
            command.add("--shell-job");
        }
        return command;
    }

    private void await(SnapshotFolder folder, Path log) throws CloneException, InterruptedException {
        long began = System.nanoTime();
        while (!Files.exists(folder.path("restored"))) {
            if (outer.process().waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() - began > START_LIMIT) {
                String output = String.join("; ", ProcFile.lines(log));
                String why = folder.errors("restore.log") + " " + output;
                throw new CloneException("the copy didn't start: "
                        + why.substring(0, Math.min(why.length(), 600)).strip());
            }
        }
    }

    /** The process of the sandbox that has this pid in there. */
    private long find(long inner, Path log) throws CloneException {
        Optional<Long> first = first();
        if (first.isPresent()) {
            for (long pid : Namespace.processes(first.get())) {
                if (Namespace.innerPid(pid) == inner) {
                    return pid;
                }
            }
        }
        throw ended(log);
    }

    /** A JVM among its processes that was started for what production was. */
    private long findLike(TargetProcess target, Path log) throws CloneException, InterruptedException {
        String last = target.command().get(target.command().size() - 1);
        long began = System.nanoTime();
        while (System.nanoTime() - began < START_LIMIT
                && !outer.process().waitFor(20, TimeUnit.MILLISECONDS)
                && first().filter(first -> ProcessHandle.of(first)
                                .flatMap(each -> each.children().findAny())
                                .isPresent())
                        .isPresent()) {
            Optional<Long> found = outer.process()
                    .descendants()
                    .map(ProcessHandle::pid)
                    .filter(pid -> TargetSurveyor.isJvm(Path.of("/proc"), pid)
                            && ProcFile.lines(ProcFile.of(pid, "cmdline")).stream()
                                    .anyMatch(line -> line.endsWith("\0" + last + "\0")))
                    .findFirst();
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw ended(log);
    }

    private static CloneException ended(Path log) {
        List<String> output = ProcFile.lines(log);
        return new CloneException("the copy ended right after its start; look into its own log, and try again"
                + (output.isEmpty()
                        ? ""
                        : ": " + String.join("; ", output.subList(Math.max(0, output.size() - TAIL), output.size()))));
    }

    private Optional<Long> first() {
        return ProcessHandle.of(outer.process().pid()).stream()
                .flatMap(ProcessHandle::children)
                .map(ProcessHandle::pid)
                .findFirst();
    }

    /** Its copy, as this machine counts processes. */
    public long copy() {
        return copy;
    }

    /** Ends it. */
    public void end(Ledger ledger) throws InterruptedException {
        // with its first process the kernel ends the namespace, and who waits for that one waits for all
        first().flatMap(ProcessHandle::of).ifPresent(ProcessHandle::destroyForcibly);
        outer.process().waitFor(END_LIMIT, TimeUnit.SECONDS);
        outer.process().destroyForcibly();
        if (outer.process().waitFor(END_LIMIT, TimeUnit.SECONDS)) {
            ledger.remove(outer.entry());
        }
        if (group != null) {
            Namespace.deleteGroup(group);
        }
    }
}

package dev.understudy.session.target.survey;

import dev.understudy.session.host.ProcessStart;
import dev.understudy.session.target.ProcessNamespaces;
import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.session.target.proc.ProcFiles;
import dev.understudy.session.target.proc.ProcessStatus;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Which process a pid names, and whether it still does. */
final class ProcessIdentity {
    private static final int MOST_STATUS = 64 << 10;
    private static final int MOST_COMMAND = 1 << 20;
    private static final int MOST_WORDS = 10_000;

    private final Path proc;
    private final long pid;
    private final ProcFiles files;

    ProcessIdentity(Path proc, long pid) {
        this.proc = proc;
        this.pid = pid;
        this.files = new ProcFiles(proc, pid);
    }

    ProcFiles files() {
        return files;
    }

    /** Its status, if it is a process that runs, and not this one. */
    ProcessStatus status() throws TargetException, IOException {
        if (pid == ProcessHandle.current().pid()) {
            throw new TargetException("process " + pid + " is this command itself (expected: the service's process)");
        }
        if (pid <= 0 || !Files.isDirectory(files.path(""))) {
            throw new TargetException(
                    "no process " + pid + " (expected: a JVM of this machine; jcmd -l and ps show them)");
        }
        ProcessStatus status = ProcessStatus.parse(files.text("status", MOST_STATUS))
                .orElseThrow(() -> new TargetException("process " + pid + ": " + files.path("status")
                        + " can't be read (expected: /proc of Linux 4.1 or newer)"));
        if (status.threadGroup() != pid) {
            throw new TargetException(pid + " is a thread of process " + status.threadGroup() + " (expected: --pid "
                    + status.threadGroup() + ")");
        }
        if (status.hasEnded()) {
            throw new TargetException("process " + pid + " has ended, and its parent hasn't noticed"
                    + " (expected: a process that runs)");
        }
        return status;
    }

    /** When it began. */
    long startTicks() throws TargetException, IOException {
        OptionalLong ticks = ProcessStart.ticks(files.text("stat", MOST_STATUS));
        return ticks.orElseThrow(() -> new TargetException("process " + pid + ": " + files.path("stat")
                + " can't be read (expected: /proc of Linux 4.1 or newer)"));
    }

    /** All of it. */
    TargetProcess process(ProcessStatus status, long startTicks) throws IOException {
        List<String> command = files.words("cmdline", MOST_COMMAND, MOST_WORDS);
        return new TargetProcess(pid, startTicks, status.uid(), status.gid(), command, Path.of(files.link("cwd")));
    }

    ProcessNamespaces namespaces() throws IOException {
        return new ProcessNamespaces(namespace("net"), namespace("mnt"), namespace("pid"));
    }

    private long namespace(String kind) throws IOException {
        String digits = files.link("ns/" + kind).replaceAll("\\D", "");
        return digits.isEmpty() || digits.length() > 18 ? 0 : Long.parseLong(digits);
    }

    /** Those of this process. */
    ProcessNamespaces ours() throws IOException {
        return new ProcessIdentity(proc, ProcessHandle.current().pid()).namespaces();
    }

    /** What went wrong while it was read, in words. */
    TargetException problem(IOException failed, long startTicks) {
        if (failed instanceof AccessDeniedException
                || (failed instanceof FileSystemException denied
                        && String.valueOf(denied.getReason()).contains("not permitted"))) {
            return new TargetException(
                    "process " + pid + " belongs to " + owner()
                            + ", and the kernel doesn't show its files to this user (expected: run as root, by sudo, or"
                            + " as its owner with CAP_SYS_PTRACE)",
                    failed);
        }
        try {
            verify(startTicks);
        } catch (TargetException ended) {
            return ended;
        }
        return new TargetException(
                "process " + pid + " can't be read: " + failed.getMessage()
                        + " (expected: a JVM, no thread of the kernel)",
                failed);
    }

    /** Fails if the pid names another process by now, or none. */
    void verify(long startTicks) throws TargetException {
        try {
            ProcessStatus status =
                    ProcessStatus.parse(files.text("status", MOST_STATUS)).orElseThrow();
            OptionalLong now = ProcessStart.ticks(files.text("stat", MOST_STATUS));
            if (now.isPresent() && now.getAsLong() == startTicks && !status.hasEnded()) {
                return;
            }
            if (now.isPresent() && now.getAsLong() != startTicks) {
                throw new TargetException("process " + pid + " ended, and another one has its number now"
                        + " (expected: the same process during a survey; look for the new one)");
            }
        } catch (IOException | RuntimeException gone) {
            // below
        }
        throw new TargetException("process " + pid + " ended while it was surveyed (expected: a process that runs on)");
    }

    private String owner() {
        try {
            return "user " + Files.getOwner(files.path("")).getName();
        } catch (IOException unknown) {
            return "another user";
        }
    }
}

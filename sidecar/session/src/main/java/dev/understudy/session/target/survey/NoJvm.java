package dev.understudy.session.target.survey;

import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TargetProcess;
import java.nio.file.Path;
import java.util.List;

/** What to do about a process that isn't a JVM: often it is a script that started one. */
public final class NoJvm {
    private static final int MOST_CHILDREN = 1000;
    private static final int MOST_NAMED = 5;
    private static final int MOST_NAME = 60;

    private NoJvm() {}

    /**
     * The only JVM among a process and all that it started.
     *
     * @throws TargetException if there is none, or several
     */
    public static long find(long pid, String owner) throws TargetException {
        Path proc = Path.of("/proc");
        if (TargetSurveyor.isJvm(proc, pid)) {
            return pid;
        }
        List<Long> jvms = among(proc, pid);
        if (jvms.isEmpty()) {
            throw new TargetException(owner + " runs no JVM that this user can see (expected: a JVM on HotSpot; other"
                    + " users' processes need root)");
        }
        if (jvms.size() > 1) {
            throw new TargetException(
                    owner + " runs " + jvms.size() + " JVMs (expected: one of them, by --pid: " + named(jvms) + ")");
        }
        return jvms.get(0);
    }

    /** Why a process can't be debugged, and which one is meant, maybe. */
    static String message(Path proc, TargetProcess process) {
        String program = process.command().isEmpty()
                ? "no command line"
                : process.command().get(0);
        String problem = "process " + process.pid() + " (" + program.substring(0, Math.min(program.length(), MOST_NAME))
                + ") is no JVM: it has no libjvm.so";
        List<Long> jvms = among(proc, process.pid());
        return problem
                + (jvms.isEmpty()
                        ? " (expected: the process of a JVM on HotSpot; jcmd -l shows them)"
                        : " (expected: the JVM that it started, by --pid: " + named(jvms) + ")");
    }

    private static List<Long> among(Path proc, long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .limit(MOST_CHILDREN)
                .map(ProcessHandle::pid)
                .filter(child -> TargetSurveyor.isJvm(proc, child))
                .toList();
    }

    private static String named(List<Long> jvms) {
        return String.join(
                ", ", jvms.stream().limit(MOST_NAMED).map(String::valueOf).toList());
    }
}

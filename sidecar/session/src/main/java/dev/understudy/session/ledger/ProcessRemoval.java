package dev.understudy.session.ledger;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Ends processes, each only as long as it is the one that was written down: pid and start must both match. */
final class ProcessRemoval {
    /** Of the fields of {@code /proc/PID/stat} behind the name. */
    private static final int STATE = 0;

    private static final int START = 19;
    private static final long POLL_MILLIS = 10;
    /** How long a process may take to end by itself. */
    private static final long GRACE_MILLIS = 1_500;
    /** How long the kernel may take to end a killed one. */
    private static final long KILL_MILLIS = 10_000;

    /** A process, and when it began. */
    private record Identity(long pid, long ticks) {
        boolean isThere() {
            return ticksOf(pid).filter(found -> found == ticks).isPresent();
        }
    }

    /** Ends a process and all that it started; does nothing if it isn't there, or another has its pid. */
    void remove(long pid, long ticks) throws RemovalException, InterruptedException {
        Identity process = new Identity(pid, ticks);
        if (pid <= 1 || pid == ProcessHandle.current().pid()) {
            throw RemovalException.foreign("process " + pid + " is never ended");
        }
        if (!process.isThere()) {
            return;
        }
        List<Identity> all = new ArrayList<>();
        all.add(process);
        ProcessHandle.of(pid)
                .ifPresent(handle -> handle.descendants()
                        .forEach(child ->
                                ticksOf(child.pid()).ifPresent(began -> all.add(new Identity(child.pid(), began)))));
        // what was listed while the pid changed hands isn't its own
        if (!process.isThere()) {
            return;
        }
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
        awaitEnd(List.of(process), GRACE_MILLIS);
        kill(all);
    }

    /** Kills all processes that are in a network, which is a session's own. */
    void removeAllIn(Path network) throws RemovalException, InterruptedException {
        if (isIn(ProcessHandle.current(), network)) {
            throw new RemovalException(network + " is the network of this process: run the command outside of it");
        }
        List<Identity> inside = new ArrayList<>();
        ProcessHandle.allProcesses()
                .filter(handle -> isIn(handle, network))
                .forEach(handle ->
                        ticksOf(handle.pid()).ifPresent(ticks -> inside.add(new Identity(handle.pid(), ticks))));
        kill(inside);
    }

    private static void kill(List<Identity> processes) throws RemovalException, InterruptedException {
        for (Identity each : processes) {
            if (each.isThere()) {
                ProcessHandle.of(each.pid()).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
        if (!awaitEnd(processes, KILL_MILLIS)) {
            throw new RemovalException("it doesn't end, though it was killed: its user may be another");
        }
    }

    private static boolean awaitEnd(List<Identity> processes, long millis) throws InterruptedException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        while (processes.stream().anyMatch(Identity::isThere)) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    private static boolean isIn(ProcessHandle process, Path network) {
        try {
            return Files.isSameFile(Path.of("/proc", Long.toString(process.pid()), "ns/net"), network);
        } catch (IOException gone) {
            return false;
        }
    }

    /** When a process began; empty if there is none, or its parent has still to be notified of its end. */
    private static Optional<Long> ticksOf(long pid) {
        try {
            String stat = new String(
                    Files.readAllBytes(Path.of("/proc", Long.toString(pid), "stat")), StandardCharsets.UTF_8);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
            if (fields.length <= START || fields[STATE].equals("Z") || fields[STATE].equals("X")) {
                return Optional.empty();
            }
            return Optional.of(Long.parseLong(fields[START]));
        } catch (IOException | NumberFormatException gone) {
            return Optional.empty();
        }
    }
}

package dev.understudy.session.clone.sandbox;

import dev.understudy.session.clone.facts.ProcFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Finds processes by the process namespace they are in. */
public final class Namespace {
    private static final int GROUP_TRIES = 100;

    private Namespace() {}

    /** All processes in the same namespace as this one, which is among them. */
    static List<Long> processes(long pid) {
        String namespace = ProcFile.link(ProcFile.of(pid, "ns/pid"));
        if (namespace.isEmpty()) {
            return List.of();
        }
        return ProcFile.processes().stream()
                .filter(other -> ProcFile.link(ProcFile.of(other, "ns/pid")).equals(namespace))
                .toList();
    }

    /** A process's pid in its own namespace; 0 if it is gone. */
    static long innerPid(long pid) {
        String all = ProcFile.values(ProcFile.of(pid, "status")).getOrDefault("NSpid", "");
        return ProcFile.number(all.substring(Math.max(all.lastIndexOf('\t'), all.lastIndexOf(' ')) + 1));
    }

    /** Kills the first process of a process's namespace, and with it all others; never this program's own. */
    public static void end(long pid) {
        String own = ProcFile.link(Path.of("/proc/self/ns/pid"));
        if (!ProcFile.link(ProcFile.of(pid, "ns/pid")).equals(own)) {
            processes(pid).stream()
                    .filter(process -> innerPid(process) == 1)
                    .flatMap(process -> ProcessHandle.of(process).stream())
                    .forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** Deletes a control group, once the last of its processes is gone. */
    static void deleteGroup(Path group) throws InterruptedException {
        for (int i = 0; i < GROUP_TRIES; i++) {
            try {
                Files.deleteIfExists(group);
                return;
            } catch (IOException busy) {
                Thread.sleep(20);
            }
        }
    }
}

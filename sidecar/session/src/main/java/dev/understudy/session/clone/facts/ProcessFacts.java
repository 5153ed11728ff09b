package dev.understudy.session.clone.facts;

import dev.understudy.session.target.TargetProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a process is, as far as it matters for a clone. Reading it changes nothing, and does not stop the process.
 *
 * @param isSame whether it is still the process that was chosen, and hasn't ended
 * @param state the letter that {@code ps} shows
 * @param leader who began its session
 * @param tracer the process that debugs it; 0 for none
 * @param foreignNamespaces namespaces that it has of its own, of those that make a container
 * @param hasOwnRoot whether it sees another root directory than this program
 * @param resident its memory in RAM, in bytes
 * @param hugePages of that in explicit huge pages, in bytes
 * @param seccomp 0 for none
 * @param children its child processes
 * @param hasAttachSocket whether its attach listener has run
 * @param files its descriptors
 * @param mapped the files in its memory
 * @param outside pipes and stream sockets whose other end another process has
 */
public record ProcessFacts(
        boolean isSame,
        char state,
        Leader leader,
        long tracer,
        List<String> foreignNamespaces,
        boolean hasOwnRoot,
        long resident,
        long hugePages,
        long seccomp,
        List<Long> children,
        boolean hasAttachSocket,
        List<OpenDescriptor> files,
        List<MappedFile> mapped,
        List<String> outside) {

    /** Who began the session of a process: itself, as services do, another one, or one that isn't seen from here. */
    public enum Leader {
        ITSELF,
        ANOTHER,
        /** Outside of this PID namespace, as of what {@code docker exec} or {@code unshare --pid} starts. */
        OUTSIDE;

        private static Leader of(long session, long pid) {
            return session == pid ? ITSELF : session == 0 ? OUTSIDE : ANOTHER;
        }
    }

    /** States of processes that are still listed, proc_pid_stat(5): their parents haven't looked yet. */
    private static final String ENDED = "ZXx";

    public static ProcessFacts read(TargetProcess target) throws InterruptedException {
        long pid = target.pid();
        Map<String, String> status = ProcFile.values(ProcFile.of(pid, "status"));
        List<String> stat = ProcFile.stat(pid);
        List<OpenDescriptor> files = OpenDescriptor.of(pid);
        char state = status.getOrDefault("State", "?").charAt(0);
        return new ProcessFacts(
                ProcFile.startTicks(pid) == target.startTicks() && ENDED.indexOf(state) < 0,
                state,
                Leader.of(stat.size() > 3 ? ProcFile.number(stat.get(3)) : pid, pid),
                ProcFile.number(status.get("TracerPid")),
                foreignNamespaces(pid),
                !ProcFile.link(ProcFile.of(pid, "root")).equals(ProcFile.link(Path.of("/proc/self/root"))),
                ProcFile.number(status.get("VmRSS")) << 10,
                ProcFile.number(status.get("HugetlbPages")) << 10,
                ProcFile.number(status.get("Seccomp")),
                ProcessHandle.of(pid).stream()
                        .flatMap(ProcessHandle::children)
                        .map(ProcessHandle::pid)
                        .toList(),
                Files.exists(Path.of("/proc/" + pid + "/root/tmp/.java_pid" + pid)),
                files,
                MappedFile.of(pid),
                OutsideEnds.of(pid, files));
    }

    private static List<String> foreignNamespaces(long pid) {
        List<String> foreign = new ArrayList<>();
        for (String name : List.of("mnt", "pid", "user", "ipc", "uts")) {
            String theirs = ProcFile.link(ProcFile.of(pid, "ns/" + name));
            if (!theirs.isEmpty() && !theirs.equals(ProcFile.link(Path.of("/proc/self/ns/" + name)))) {
                foreign.add(name);
            }
        }
        return foreign;
    }

    /** Bytes that are copied while it stands still, since they belong to its memory. */
    long inPlaceBytes() {
        long files = this.files.stream()
                .filter(file -> file.isNamedOutput() && !file.isSequential())
                .mapToLong(OpenDescriptor::size)
                .sum();
        return files
                + mapped.stream()
                        .filter(MappedFile::isWrittenInPlace)
                        .mapToLong(MappedFile::bytes)
                        .sum();
    }

    /** The bytes of all files with a name that it may write to: the copy gets its own of each. */
    long outputBytes() {
        return files.stream()
                .filter(OpenDescriptor::isNamedOutput)
                .mapToLong(OpenDescriptor::size)
                .sum();
    }

    /** The size of the largest file that it holds open though it was deleted, in bytes. */
    long largestDeleted() {
        return files.stream()
                .filter(OpenDescriptor::isDeleted)
                .mapToLong(OpenDescriptor::size)
                .max()
                .orElse(0);
    }
}

package dev.understudy.session.clone.checkpoint;

import dev.understudy.session.clone.container.ContainerSpec;
import dev.understudy.session.clone.container.RuntimeContainer;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.clone.facts.ProcessFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a snapshot takes: a process, or all processes of a container.
 *
 * @param pid the first process of it, as this machine counts
 * @param place what enters the namespaces that CRIU runs in; its words follow
 * @param options CRIU's, for what is outside of it
 */
public record DumpScope(long pid, List<String> place, List<String> options) {
    /** CRIU makes a connection to itself to learn what the kernel can do. */
    private static final List<String> OWN_NETWORK =
            List.of("unshare", "--net", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh");

    public DumpScope {
        place = List.copyOf(place);
        options = List.copyOf(options);
    }

    /** A process that shares all namespaces but its network with this one. */
    public static DumpScope process(long pid, ProcessFacts process) throws IOException {
        List<String> options = new ArrayList<>(List.of("--external", network(pid, "understudy-net")));
        for (String end : process.outside()) {
            if (end.startsWith("socket:")) {
                options.addAll(List.of("--external", "unix" + end.substring("socket:".length())));
            }
        }
        if (process.leader() != ProcessFacts.Leader.ITSELF) {
            options.add("--shell-job");
        }
        return new DumpScope(pid, List.of(), options);
    }

    /**
     * A container. What is outside of it has the names by which its runtime restores it. A network is outside only if
     * CRIU is in another one; the session is in the container's.
     */
    public static DumpScope container(RuntimeContainer container, ContainerSpec spec) throws IOException {
        long pid = container.pid();
        List<String> options =
                new ArrayList<>(List.of("--root", container.rootfs().toString()));
        options.addAll(List.of("--external", network(pid, "extRootNetNS")));
        Path root = ProcFile.of(pid, "root");
        Stream.concat(spec.volumes().stream(), groups(pid).stream())
                .distinct()
                .forEach(path -> options.addAll(List.of("--external", "mnt[" + path + "]:" + path)));
        for (String path : spec.maskedPaths()) {
            Path masked = root.resolve(path.replaceFirst("^/+", ""));
            if (Files.exists(masked) && !Files.isDirectory(masked)) {
                options.addAll(List.of("--external", "mnt[" + path + "]:/dev/null"));
            }
        }
        return new DumpScope(pid, OWN_NETWORK, options);
    }

    /** The hierarchies of control groups that it sees. */
    private static List<String> groups(long pid) {
        return ProcFile.lines(ProcFile.of(pid, "mountinfo")).stream()
                .filter(line -> line.contains(" - cgroup "))
                .map(line -> line.split(" ", -1))
                .filter(words -> words.length > 4)
                .map(words -> words[4])
                .toList();
    }

    private static String network(long pid, String name) throws IOException {
        return "net[" + Files.getAttribute(ProcFile.of(pid, "ns/net"), "unix:ino") + "]:" + name;
    }

    /** All its processes. */
    public List<Long> processes() {
        return Stream.concat(
                        Stream.of(pid),
                        ProcessHandle.of(pid).stream()
                                .flatMap(ProcessHandle::descendants)
                                .map(ProcessHandle::pid))
                .toList();
    }
}

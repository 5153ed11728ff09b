package dev.understudy.session.clone.facts;

import dev.understudy.session.host.HostCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds a process's pipes and Unix stream sockets whose other end is another process's, such as a supervisor's. */
final class OutsideEnds {
    private OutsideEnds() {}

    /** Their names, such as {@code pipe:[7]} and {@code socket:[8]}. */
    static List<String> of(long pid, List<OpenDescriptor> files) throws InterruptedException {
        List<String> links = files.stream().map(OpenDescriptor::link).toList();
        Set<String> ends = new HashSet<>();
        for (OpenDescriptor file : files) {
            if (file.link().startsWith("pipe:") && !hasBothEnds(file.link(), files)) {
                ends.add(file.link());
            }
        }
        if (links.stream().anyMatch(link -> link.startsWith("socket:"))) {
            ends.addAll(connectedSockets(output(pid), new HashSet<>(links)));
        }
        return ends.stream().sorted().toList();
    }

    private static boolean hasBothEnds(String pipe, List<OpenDescriptor> files) {
        return files.stream()
                        .filter(file -> file.link().equals(pipe))
                        .map(OpenDescriptor::isWritable)
                        .distinct()
                        .count()
                == 2;
    }

    /** The sockets of the process whose peer isn't among them. */
    static Set<String> connectedSockets(String listing, Set<String> own) {
        Set<String> ends = new HashSet<>();
        listing.lines().forEach(line -> {
            String[] words = line.strip().split("\\s+", -1);
            if (words.length < 3 || !words[0].equals("u_str")) {
                return;
            }
            String here = "socket:[" + words[words.length - 3] + "]";
            String peer = words[words.length - 1];
            if (own.contains(here) && !peer.equals("0") && !own.contains("socket:[" + peer + "]")) {
                ends.add(here);
            }
        });
        return ends;
    }

    private static String output(long pid) throws InterruptedException {
        try {
            return HostCommand.run(
                            Duration.ofSeconds(5),
                            List.of("nsenter", "--net=/proc/" + pid + "/ns/net", "ss", "-xnH", "state", "connected"))
                    .output();
        } catch (IOException noProgram) {
            return "";
        }
    }
}

package dev.understudy.example.demo.report;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Whom a process is connected to, as the Linux kernel sees it ({@code proc(5)}). */
final class Sockets {
    private static final String ESTABLISHED = "01";

    private Sockets() {}

    static boolean canBeSeen() {
        return Files.isReadable(Path.of("/proc/self/net/tcp"));
    }

    /** The far ports of the process's established TCP connections that it opened itself, on any address. */
    static Set<Integer> dialled(long pid, int ownPort) throws IOException {
        Set<String> inodes = inodes(pid);
        Set<Integer> ports = new TreeSet<>();
        for (String table : List.of("tcp", "tcp6")) {
            Path file = Path.of("/proc/" + pid + "/net/" + table);
            if (!Files.isReadable(file)) {
                continue;
            }
            // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …
            for (String line : Files.readAllLines(file)) {
                String[] cells = line.strip().split("\\s+", -1);
                if (cells.length > 9
                        && cells[3].equals(ESTABLISHED)
                        && inodes.contains(cells[9])
                        && port(cells[1]) != ownPort) {
                    ports.add(port(cells[2]));
                }
            }
        }
        return ports;
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), 16);
    }

    private static Set<String> inodes(long pid) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path descriptor : descriptors) {
                String target = target(descriptor);
                if (target.startsWith("socket:[")) {
                    inodes.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        }
        return inodes;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}

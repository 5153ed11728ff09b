package dev.understudy.testing.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The TCP connections of a process, as Linux lists them. */
public final class SocketTable {
    private static final Path PROC = Path.of("/proc");
    private static final int MOST_LINES = 100_000;

    private SocketTable() {}

    /** To which addresses a process has sockets connected now; empty if that can't be known. */
    public static Set<InetSocketAddress> remotes(long pid) {
        Path process = PROC.resolve(Long.toString(pid));
        Set<InetSocketAddress> remotes = new HashSet<>();
        try {
            Set<String> own = inodes(process.resolve("fd"));
            for (String table : new String[] {"tcp", "tcp6"}) {
                read(process.resolve("net").resolve(table), own, remotes);
            }
        } catch (IOException ended) {
            // it has ended, or this isn't Linux
        }
        return remotes;
    }

    private static Set<String> inodes(Path descriptors) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
            for (Path one : all) {
                String target = target(one);
                if (target.startsWith("socket:[")) {
                    inodes.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        }
        return inodes;
    }

    /** Between listing and reading it may have been closed. */
    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    private static void read(Path table, Set<String> own, Set<InetSocketAddress> remotes) throws IOException {
        if (!Files.exists(table)) {
            return;
        }
        try (BufferedReader lines = Files.newBufferedReader(table)) {
            lines.readLine();
            String line = lines.readLine();
            for (int n = 0; line != null && n < MOST_LINES; n++, line = lines.readLine()) {
                String[] columns = line.strip().split("\\s+", -1);
                InetSocketAddress remote = columns.length > 9 && own.contains(columns[9]) ? address(columns[2]) : null;
                if (remote != null && remote.getPort() != 0) {
                    remotes.add(remote);
                }
            }
        }
    }

    /** Words of four bytes, each the other way round, then the port; null if it is something else. */
    static @Nullable InetSocketAddress address(String text) {
        int colon = text.indexOf(':');
        if (colon != 8 && colon != 32) {
            return null;
        }
        try {
            byte[] bytes = new byte[colon / 2];
            for (int i = 0; i < bytes.length; i++) {
                int at = (i / 4 * 4 + 3 - i % 4) * 2;
                bytes[i] = (byte) Integer.parseInt(text.substring(at, at + 2), 16);
            }
            return new InetSocketAddress(
                    InetAddress.getByAddress(bytes), Integer.parseInt(text.substring(colon + 1), 16));
        } catch (IOException | IllegalArgumentException odd) {
            return null;
        }
    }
}

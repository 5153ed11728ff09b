package dev.understudy.agent.handshake;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The sockets of this process that listen, and those of its connections that come from certain addresses, as Linux
 * tells them ({@code /proc/self/net/tcp}). A moment's picture, immutable.
 *
 * <p>The kernel's table has the sockets of all processes; whose one is, its inode tells. Of its lines only those are
 * kept that may matter, however many there are.
 */
public final class OwnSockets {
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String LISTENS = "0A";
    private static final String ESTABLISHED = "01";

    private final boolean listens;
    private final boolean accepted;
    /** Where it listens: addresses in hexadecimal digits, a colon, the port. */
    private final Set<String> listeners;

    private OwnSockets(Set<String> listeners, boolean accepted) {
        this.listens = !listeners.isEmpty();
        this.listeners = listeners;
        this.accepted = accepted;
    }

    /**
     * Whether this process listens at that port of an address of this machine.
     *
     * @throws IOException where that can't be read
     */
    public static boolean listenAt(InetAddress address, int port) throws IOException {
        return read(Set.of()).listensAt(address.getAddress(), port);
    }

    /** Whether it listens at that port of an address, or of all addresses. */
    boolean listensAt(byte[] address, int port) {
        StringBuilder hex = new StringBuilder();
        for (byte one : address) {
            hex.append(Character.forDigit(one >> 4 & 0xF, 16)).append(Character.forDigit(one & 0xF, 16));
        }
        return listeners.contains(hex + ":" + port)
                || listeners.contains("0".repeat(32) + ":" + port)
                || (address.length == 4 && listeners.contains("0".repeat(8) + ":" + port));
    }

    /**
     * Reads them.
     *
     * @param from where connections may come from: an address in hexadecimal digits, a colon, the port
     * @throws IOException where there is no such file, or it may not be read
     */
    static OwnSockets read(Collection<String> from) throws IOException {
        List<String[]> rows = new ArrayList<>();
        for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
            Path file = Path.of(table);
            if (table.endsWith("6") && !Files.exists(file)) {
                continue;
            }
            try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
                rows.addAll(rows(lines, from));
            } catch (UncheckedIOException broken) {
                throw new IOException(table, broken);
            }
        }
        return of(rows, inodes());
    }

    /** The lines that may matter, cut into columns. */
    static List<String[]> rows(Stream<String> lines, Collection<String> from) {
        List<String[]> rows = new ArrayList<>();
        lines.forEach(line -> {
            String[] row = line.trim().split("\\s+");
            if (row.length > INODE
                    && !port(row[LOCAL]).isEmpty()
                    && !port(row[REMOTE]).isEmpty()) {
                boolean comes = row[STATE].equals(ESTABLISHED) && from.contains(spelled(row[REMOTE]));
                if (comes || row[STATE].equals(LISTENS)) {
                    rows.add(row);
                }
            }
        });
        return rows;
    }

    /**
     * What these lines say.
     *
     * @param own the inodes of this process's sockets
     */
    static OwnSockets of(List<String[]> rows, Set<String> own) {
        Set<String> ports = new HashSet<>();
        Set<String> listeners = new HashSet<>();
        for (String[] row : rows) {
            if (row[STATE].equals(LISTENS) && own.contains(row[INODE])) {
                ports.add(port(row[LOCAL]));
                listeners.add(spelled(row[LOCAL]));
            }
        }
        boolean accepted = rows.stream()
                .anyMatch(row ->
                        row[STATE].equals(ESTABLISHED) && own.contains(row[INODE]) && ports.contains(port(row[LOCAL])));
        return new OwnSockets(listeners, accepted);
    }

    /** Whether this process listens at all. */
    boolean listens() {
        return listens;
    }

    /** Whether it has accepted one of the connections, on a port where it listens. */
    boolean accepted() {
        return accepted;
    }

    private static Set<String> inodes() throws IOException {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                try {
                    String target = Files.readSymbolicLink(descriptor).toString();
                    if (target.startsWith("socket:[") && target.endsWith("]")) {
                        inodes.add(target.substring("socket:[".length(), target.length() - 1));
                    }
                } catch (IOException closedMeanwhile) {
                    // then it is none of ours
                }
            }
        } catch (DirectoryIteratorException broken) {
            throw broken.getCause();
        }
        return inodes;
    }

    /** The four digits behind the colon; empty if there are none. */
    private static String port(String address) {
        int colon = address.indexOf(':');
        boolean whole = (colon == 8 || colon == 32) && address.length() == colon + 5 && isHex(address, colon);
        return whole ? address.substring(colon + 1) : "";
    }

    private static boolean isHex(String address, int colon) {
        for (int i = 0; i < address.length(); i++) {
            if (i != colon && Character.digit(address.charAt(i), 16) < 0) {
                return false;
            }
        }
        return true;
    }

    /** The kernel writes words in its own byte order; four bytes if the address is one of IPv4. */
    private static String spelled(String kernels) {
        StringBuilder bytes = new StringBuilder();
        for (int word = 0; word < kernels.indexOf(':'); word += 8) {
            for (int i = 6; i >= 0; i -= 2) {
                bytes.append(kernels, word + i, word + i + 2);
            }
        }
        String hex = bytes.toString().toLowerCase(Locale.ROOT);
        return (hex.startsWith("00000000000000000000ffff") ? hex.substring(24) : hex) + ":"
                + Integer.parseInt(port(kernels), 16);
    }
}

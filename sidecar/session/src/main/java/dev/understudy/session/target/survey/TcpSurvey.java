package dev.understudy.session.target.survey;

import dev.understudy.session.target.proc.ProcFiles;
import dev.understudy.session.target.proc.TcpSocket;
import dev.understudy.session.target.proc.TcpSocket.State;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A process's TCP sockets, joined: how many clients each of its ports has, and how many connections each of its
 * upstreams. The kernel shows them as the process's own network has them.
 *
 * @param ports clients by the address that is listened on
 * @param upstreams connections by the server's address
 */
record TcpSurvey(Map<InetSocketAddress, Integer> ports, Map<InetSocketAddress, Integer> upstreams) {
    private static final int MOST_LINES = 1_000_000;
    private static final int MOST_UPSTREAMS = 500;
    private static final int MOST_PORTS = 500;
    private static final Comparator<InetSocketAddress> ORDER = Comparator.<InetSocketAddress>comparingInt(
                    InetSocketAddress::getPort)
            .thenComparing(address -> address.getAddress().getHostAddress());

    /** Joins the lines with the numbers of the process's own sockets. */
    static TcpSurvey read(ProcFiles process, Set<Long> own, Collection<String> notes) throws IOException {
        List<TcpSocket> sockets = new ArrayList<>();
        boolean complete = true;
        for (String table : List.of("net/tcp", "net/tcp6")) {
            try {
                complete &= process.lines(
                        table,
                        MOST_LINES,
                        line -> TcpSocket.parse(line)
                                .filter(socket -> own.contains(socket.inode()))
                                .ifPresent(sockets::add));
            } catch (NoSuchFileException noIpv6) {
                if (table.equals("net/tcp")) {
                    throw noIpv6;
                }
            }
        }
        if (!complete) {
            notes.add("There are more than " + MOST_LINES + " TCP connections in its network; not all were seen.");
        }
        return of(sockets, notes);
    }

    private static TcpSurvey of(List<TcpSocket> sockets, Collection<String> notes) {
        Map<InetSocketAddress, Integer> ports = new TreeMap<>(ORDER);
        sockets.stream()
                .filter(socket -> socket.state() == State.LISTENING)
                .limit(MOST_PORTS)
                .forEach(socket -> ports.put(socket.local(), 0));
        Map<InetSocketAddress, Integer> upstreams = new TreeMap<>(ORDER);
        boolean complete = true;
        for (TcpSocket socket : sockets) {
            if (socket.state() != State.ESTABLISHED && socket.state() != State.CONNECTING) {
                continue;
            }
            InetSocketAddress port = port(ports, socket.local());
            if (port != null) {
                ports.merge(port, 1, Integer::sum);
            } else if (upstreams.size() < MOST_UPSTREAMS || upstreams.containsKey(socket.remote())) {
                upstreams.merge(socket.remote(), 1, Integer::sum);
            } else {
                complete = false;
            }
        }
        if (!complete) {
            notes.add("It is connected to more than " + MOST_UPSTREAMS + " servers; not all are in the plan.");
        }
        return new TcpSurvey(ports, upstreams);
    }

    /** The port that a connection was accepted at; null if the process made it. */
    private static @Nullable InetSocketAddress port(Map<InetSocketAddress, Integer> ports, InetSocketAddress local) {
        if (ports.containsKey(local)) {
            return local;
        }
        return ports.keySet().stream()
                .filter(port ->
                        port.getPort() == local.getPort() && port.getAddress().isAnyLocalAddress())
                .findFirst()
                .orElse(null);
    }
}

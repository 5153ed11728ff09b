package dev.understudy.session.target.survey;

import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.UpstreamAddress;
import dev.understudy.session.target.proc.Descriptors;
import dev.understudy.session.target.proc.ProcFiles;
import dev.understudy.session.target.proc.TcpSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The connections to upstreams that the target had at one moment. Those that it has made since pass through a redirect;
 * what these carry isn't recorded. Reads only.
 */
public final class UpstreamConnections {
    private static final int MOST = 100_000;
    private static final List<String> TABLES = List.of("net/tcp", "net/tcp6");

    private final ProcFiles process;
    private final Set<InetSocketAddress> upstreams;
    private Set<TcpSocket> left;

    private UpstreamConnections(ProcFiles process, Set<InetSocketAddress> upstreams) throws IOException {
        this.process = process;
        this.upstreams = upstreams;
        this.left = now();
    }

    /**
     * Those of now.
     *
     * @throws IOException if the process has ended
     */
    public static UpstreamConnections of(TargetSurvey target) throws IOException {
        return new UpstreamConnections(
                new ProcFiles(Path.of("/proc"), target.process().pid()),
                target.recordedUpstreams().stream()
                        .map(UpstreamAddress::address)
                        .collect(Collectors.toSet()));
    }

    /**
     * How many of them are still open.
     *
     * @throws IOException if the process has ended
     */
    public int left() throws IOException {
        if (!left.isEmpty()) {
            Set<TcpSocket> still = now();
            still.retainAll(left);
            left = still;
        }
        return left.size();
    }

    private Set<TcpSocket> now() throws IOException {
        Set<Long> own = Descriptors.read(process).sockets();
        Set<TcpSocket> found = new HashSet<>();
        for (String table : TABLES) {
            process.lines(
                    table,
                    MOST,
                    line -> TcpSocket.parse(line)
                            .filter(socket -> socket.state() == TcpSocket.State.ESTABLISHED
                                    && own.contains(socket.inode())
                                    && upstreams.contains(socket.remote()))
                            .ifPresent(found::add));
        }
        return found;
    }
}

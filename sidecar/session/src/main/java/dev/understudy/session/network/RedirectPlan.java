package dev.understudy.session.network;

import dev.understudy.session.host.NetworkNamespace;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Which of production's connections are redirected, and where to.
 *
 * @param session the session's id
 * @param network the target's own network, in which sidecar and aggregator run
 * @param listening where the sidecar listens, by the address that production listens on: the same, or a wildcard
 * @param upstreams where the aggregator listens for production, by the upstream's address; a loopback address
 * @param uid the target's user, whose connections to upstreams are redirected
 * @param gid the group of sidecar and aggregator, whose connections aren't redirected
 * @param programs the processes of sidecar and aggregator, started by {@link ProgramLock}
 * @param locks the directory of their locks
 */
public record RedirectPlan(
        String session,
        NetworkNamespace network,
        Map<InetSocketAddress, InetSocketAddress> listening,
        Map<InetSocketAddress, InetSocketAddress> upstreams,
        int uid,
        int gid,
        Collection<Long> programs,
        ProgramLock locks) {
    public RedirectPlan {
        listening = Map.copyOf(listening);
        upstreams = Map.copyOf(upstreams);
        programs = List.copyOf(programs);
        if (!session.matches("[0-9a-f]{8}")) {
            throw new IllegalArgumentException("session: " + session + " (expected: eight hexadecimal digits)");
        }
    }
}

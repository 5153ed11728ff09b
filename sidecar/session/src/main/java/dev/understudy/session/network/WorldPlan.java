package dev.understudy.session.network;

import dev.understudy.session.host.NetworkNamespace;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * What a copy's world is made for.
 *
 * @param session the session's id
 * @param number counts the worlds of a session, from 1
 * @param home the target's own network, in which sidecar and aggregator run
 * @param listening where production listens
 * @param upstreams what production is connected to
 */
public record WorldPlan(
        String session,
        int number,
        NetworkNamespace home,
        List<InetSocketAddress> listening,
        List<InetSocketAddress> upstreams) {
    public WorldPlan {
        listening = List.copyOf(listening);
        upstreams = List.copyOf(upstreams);
        if (!session.matches("[0-9a-f]{8}") || number < 1 || number > 99) {
            throw new IllegalArgumentException(
                    "world " + session + " " + number + " (expected: eight hexadecimal digits, 1 to 99)");
        }
    }

    /** The same once it is known where production listens. */
    WorldPlan with(List<InetSocketAddress> found) {
        return new WorldPlan(session, number, home, found, upstreams);
    }

    /** The namespace's name. */
    String namespace() {
        return number == 1 ? "understudy-" + session : "understudy-" + session + "-" + number;
    }

    /** The name of the link's end in the target's network; at most 15 characters. */
    String link() {
        return number == 1 ? "us-" + session : "us-" + session + "-" + number;
    }

    /** Whether production uses IPv6 other than by a wildcard address, which IPv4 reaches as well. */
    boolean hasIpv6() {
        return listening.stream().anyMatch(each -> isIpv6(each))
                || upstreams.stream().anyMatch(each -> isIpv6(each));
    }

    private static boolean isIpv6(InetSocketAddress address) {
        return IpFamily.of(address.getAddress()) == IpFamily.V6
                && !address.getAddress().isAnyLocalAddress();
    }
}

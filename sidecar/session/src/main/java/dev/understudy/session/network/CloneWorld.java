package dev.understudy.session.network;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The network that a copy lives in: it has production's own addresses, and reaches sidecar and aggregator only.
 *
 * @param namespace the name of the network namespace, below {@code /run/netns}
 * @param ours the address of the target's end, at which sidecar and aggregator are reached from inside
 * @param copys the address of the copy's end, at which the copy is reached from the target's network
 * @param ours6 the same as {@code ours} for IPv6; null if the target uses none
 * @param entrances where the copy is reached, by the address that production listens on
 * @param limits what isn't possible, a sentence each
 */
public record CloneWorld(
        String namespace,
        InetAddress ours,
        InetAddress copys,
        @Nullable InetAddress ours6,
        Map<InetSocketAddress, InetSocketAddress> entrances,
        List<String> limits) {
    public CloneWorld {
        entrances = Map.copyOf(entrances);
        limits = List.copyOf(limits);
    }

    /** A world of a service that listens on wildcard addresses only. */
    public CloneWorld(String namespace, InetAddress ours, InetAddress copys) {
        this(namespace, ours, copys, null, Map.of(), List.of());
    }

    /** Where the aggregator must listen for the copy's connections to an upstream; null if it can't be reached. */
    public @Nullable InetAddress oursFor(InetAddress upstream) {
        return IpFamily.of(upstream) == IpFamily.V6 ? ours6 : ours;
    }

    /** Where the copy is reached instead of an address that production listens on. */
    public InetSocketAddress entrance(InetSocketAddress listening) {
        return entrances.getOrDefault(listening, new InetSocketAddress(copys, listening.getPort()));
    }
}

package dev.understudy.session.network;

import java.net.InetAddress;

/**
 * The network that a copy lives in: it has production's own addresses, and reaches sidecar and aggregator only.
 *
 * @param namespace the name of the network namespace, below {@code /run/netns}
 * @param ours the address of this machine's end, at which sidecar and aggregator are reached from inside
 * @param copys the address of the copy's end, at which the copy is reached from this machine
 */
public record CloneWorld(String namespace, InetAddress ours, InetAddress copys) {}

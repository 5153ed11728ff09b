package dev.understudy.relay;

import java.net.SocketAddress;

/**
 * A connection that a listener accepted.
 *
 * @param id unique within the process, counted from 1 in the order of acceptance
 * @param client the client's address
 * @param local the address on which it was accepted
 * @param acceptedNanos {@link System#nanoTime()} at acceptance
 */
public record Connection(long id, SocketAddress client, SocketAddress local, long acceptedNanos) {}

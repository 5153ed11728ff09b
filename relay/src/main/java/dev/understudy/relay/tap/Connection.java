package dev.understudy.relay.tap;

import java.net.SocketAddress;

/**
 * A connection that a listener accepted.
 *
 * @param id unique within the process, counted from 1 in the order of acceptance
 * @param client the client's address: what its PROXY header told, where one is believed
 * @param local the address on which it was accepted
 * @param acceptedNanos {@link System#nanoTime()} at acceptance
 * @param preface what production was sent before the client's first byte, such as a PROXY header; empty for none, not to
 *     be changed. A copy of the connection has to begin with it, too
 */
public record Connection(long id, SocketAddress client, SocketAddress local, long acceptedNanos, byte[] preface) {
    private static final byte[] NOTHING = {};

    /** Without a preface. */
    public Connection(long id, SocketAddress client, SocketAddress local, long acceptedNanos) {
        this(id, client, local, acceptedNanos, NOTHING);
    }
}

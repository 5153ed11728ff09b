package dev.understudy.relay.tap;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection that a listener accepted.
 *
 * @param id unique within the process, counted from 1 in the order of acceptance
 * @param client the client's address: what its PROXY header told, where one is believed
 * @param local the address on which it was accepted
 * @param acceptedNanos {@link System#nanoTime()} at acceptance
 * @param preface what production was sent before the client's first byte, such as a PROXY header; empty for none, not
 *     to be changed. A copy of the connection has to begin with it, too
 * @param agreed the protocol that the client has agreed on with us in its TLS handshake (ALPN); null for none
 */
public record TapConnection(
        long id,
        SocketAddress client,
        SocketAddress local,
        long acceptedNanos,
        byte[] preface,
        @Nullable String agreed) {
    private static final byte[] NOTHING = {};

    /** In plain text, without a preface. */
    public TapConnection(long id, SocketAddress client, SocketAddress local, long acceptedNanos) {
        this(id, client, local, acceptedNanos, NOTHING, null);
    }
}

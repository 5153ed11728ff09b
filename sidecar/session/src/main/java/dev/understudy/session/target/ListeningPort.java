package dev.understudy.session.target;

import java.net.InetSocketAddress;

/**
 * A TCP port that the target listens on.
 *
 * @param address as it is bound; a wildcard address for all
 * @param protocol what clients speak there, guessed: a value of the sidecar's setting {@code protocol}, or
 *     {@link #NOT_COPIED}
 * @param guess what the guess is based on, in a few words
 * @param tls whether clients connect by TLS
 * @param connections how many clients are connected now; they stay as they are
 */
public record ListeningPort(InetSocketAddress address, String protocol, String guess, TlsUse tls, int connections) {
    /** Stands for a protocol where connections aren't redirected: those of debuggers and JMX, and what a user chose. */
    public static final String NOT_COPIED = "none";

    /** Whether the copy gets what clients send there. */
    public boolean isCopied() {
        return !protocol.equals(NOT_COPIED);
    }
}

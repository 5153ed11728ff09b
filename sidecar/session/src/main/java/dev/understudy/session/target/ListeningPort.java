package dev.understudy.session.target;

import java.net.InetSocketAddress;

/**
 * A TCP port that the target listens on.
 *
 * @param address as it is bound; a wildcard address for all
 * @param protocol what clients speak there, guessed: a value of the sidecar's setting {@code protocol}
 * @param guess what the guess is based on, in a few words
 * @param tls whether clients connect by TLS
 * @param connections how many clients are connected now; they stay as they are
 */
public record ListeningPort(InetSocketAddress address, String protocol, String guess, TlsUse tls, int connections) {}

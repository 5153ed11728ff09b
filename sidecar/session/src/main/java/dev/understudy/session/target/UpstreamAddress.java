package dev.understudy.session.target;

import java.net.InetSocketAddress;

/**
 * A server that the target is connected to.
 *
 * @param address where it is, as the target's own network sees it
 * @param protocol what is spoken there, guessed: a value of the aggregator's setting {@code protocol}
 * @param guess what the guess is based on, in a few words
 * @param tls whether the connections are encrypted
 * @param connections how many there are now; what they carry can't be recorded
 */
public record UpstreamAddress(InetSocketAddress address, String protocol, String guess, boolean tls, int connections) {}

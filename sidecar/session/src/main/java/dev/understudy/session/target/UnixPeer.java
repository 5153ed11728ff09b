package dev.understudy.session.target;

/**
 * A process that the target is connected to by Unix sockets. A copy doesn't have these connections.
 *
 * @param path the peer's socket file; "" if it has none
 * @param connections how many there are now
 */
public record UnixPeer(String path, int connections) {}

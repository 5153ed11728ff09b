/**
 * What happens to a client before it is relayed: how many get in, and who they say that they are.
 *
 * <pre>
 *   listening socket ──▶ AcceptHandler ──▶ ProxyHeaderHandler ──▶ relayed
 *                        limits, EMFILE    trusted peer? header in time? ProxyHeaderReader ──▶ ProxyHeader
 * </pre>
 *
 * <p>All of it runs on relay loops, before a connection's first byte is relayed.
 */
@NullMarked
package dev.understudy.relay.accept;

import org.jspecify.annotations.NullMarked;

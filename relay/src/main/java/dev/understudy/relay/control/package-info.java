/**
 * The control port of a proxy: status, metrics and event streams over HTTP, apart from every byte of the data path.
 *
 * <pre>
 *   caller ─▶ ConnectionRegistry ─▶ ControlHandler ─▶ Gatekeeper ─▶ RequestBody ─▶ Routes ─▶ ReplyWriter
 *             so many at a time     one request       by the head   16 MiB in        │       piece by piece
 *                                   at a time         alone         all              └──▶ relay.event
 *                                                                                   (server-sent events)
 * </pre>
 *
 * <p>Where the port speaks TLS, an {@code SslHandler}, a {@code HandshakeHandler} and a {@code ReadJoiner} stand in
 * front of ControlHandler.
 *
 * <p>Everything here runs on one thread of its own, {@code understudy-control}; a slow or hanging caller can hold up
 * other callers of the control port and nobody else. What callers may take of the process is in {@link
 * dev.understudy.relay.control.ControlLimits}.
 */
@NullMarked
package dev.understudy.relay.control;

import org.jspecify.annotations.NullMarked;

/**
 * The control port of a proxy: status, metrics and event streams over HTTP, apart from every byte of the data path.
 *
 * <pre>
 *   request ─▶ ControlInitializer ─▶ ControlHandler ─▶ Gatekeeper ─▶ Routes ─▶ Reply
 *                                                                        └──▶ relay.event (server-sent events)
 * </pre>
 *
 * <p>Everything here runs on one thread of its own, {@code understudy-control}; a slow or hanging caller can hold up
 * other callers of the control port and nobody else.
 */
@NullMarked
package dev.understudy.relay.control;

import org.jspecify.annotations.NullMarked;

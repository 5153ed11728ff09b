/**
 * Which of several equal calls is which: what is known of a debug call besides its form.
 *
 * <pre>
 *   sidecar ── what production and debug are serving ──▶ InboundExchanges ◀── Origin of an UpstreamCall ── journal
 *                                                              │
 *                                                              └▶ SearchScope: the trace and the time spans to look in
 * </pre>
 *
 * <p>Nothing here knows a protocol, a journal or a socket.
 */
@NullMarked
package dev.understudy.aggregator.match;

import org.jspecify.annotations.NullMarked;

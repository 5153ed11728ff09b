/**
 * Whether the debug JVM made the upstream calls that production made, inbound exchange by inbound exchange.
 *
 * <pre>
 * record ── ProductionCall ─▶ OutgoingCalls ◀─ DebugCall ── replay
 * sidecar's news: both are done with exchange 7 ─▶ OutgoingCalls ─▶ CallComparison ─▶ Compared ─▶ sidecar, control port
 * </pre>
 *
 * <p>A call is an exchange's if its trace says so, or if no other exchange can have made it. One that may be of several
 * makes these NOT_COMPARED, never the same.
 */
@NullMarked
package dev.understudy.aggregator.outgoing;

import org.jspecify.annotations.NullMarked;

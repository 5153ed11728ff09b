/**
 * Reports to the aggregator for which exchange a thread writes to its debug ports, so that a call gets the replies of
 * its own exchange.
 *
 * <pre>
 *   woven sockets ──▶ bootstrap.Sockets ──▶ bootstrap.CallNotes (bounded) ──▶ CallBacklog ──▶ CallerLink (one thread)
 *                                                ▲ which ports                                   │ CallBatchWriter
 *                                           DebugPorts ◀──────── aggregator/v1/callers ◀─────────┘
 * </pre>
 *
 * <p>An application's thread pays for one small object and never waits. What finds no room is dropped, and the
 * aggregator gets to know until when some may be missing.
 */
@NullMarked
package dev.understudy.agent.caller;

import org.jspecify.annotations.NullMarked;

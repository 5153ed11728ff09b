/**
 * The debug side: a server that answers from the journal.
 *
 * <pre>
 *   debug JVM ──▶ ReplayServer ──▶ Replayer (handlers of one protocol) ──▶ UpstreamReplay.take(Form) ──▶ journal
 * </pre>
 *
 * <p>Nothing in this package, or in a protocol's package, can reach an upstream: no address, no client socket.
 * {@code IsolationTest} proves it. Where the settings say {@code miss: live} or {@code miss: standin}, the assembly
 * gives it {@code LiveReads}.
 */
@NullMarked
package dev.understudy.aggregator.replay;

import org.jspecify.annotations.NullMarked;

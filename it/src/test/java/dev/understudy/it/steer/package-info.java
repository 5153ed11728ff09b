/**
 * What an operator does with a running debug JVM: the commands, a real sidecar and the real agent, with nothing in the
 * place of any of them.
 *
 * <pre>
 *   understudy probes, log, watch, snapshot, patch ──▶ sidecar ──▶ agent in Till (debug)
 *   SteerIT, as a customer ──▶ sidecar ──▶ Till (production), Till (debug) ──▶ understudy report
 * </pre>
 */
@NullMarked
package dev.understudy.it.steer;

import org.jspecify.annotations.NullMarked;

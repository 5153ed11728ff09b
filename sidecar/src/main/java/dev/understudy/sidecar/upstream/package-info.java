/**
 * What the debug JVM gets from upstreams, as the aggregator tells it, and the faults that it is told to inject.
 *
 * <pre>
 *   control port ── AggregatorReader: what was read last ◀─ HTTP ── aggregator
 *   control port ── AggregatorFaults: one call at a time ── HTTP ─▶ aggregator
 * </pre>
 *
 * <p>The control thread never waits for the aggregator.
 */
@NullMarked
package dev.understudy.sidecar.upstream;

import org.jspecify.annotations.NullMarked;

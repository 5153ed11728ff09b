/**
 * Tells the aggregator which inbound exchanges production and debug are serving, so that it knows whose calls are
 * whose.
 *
 * <pre>
 *   lane loops ── InboundState ─▶ InboundSink: a bounded queue ─▶ AggregatorLink (one thread) ── HTTP ─▶ aggregator
 * </pre>
 *
 * <p>A lane loop pays for one small object and one entry of a queue, and never waits: what finds no room is dropped,
 * counted, and mended by the next that is told of the same exchange.
 */
@NullMarked
package dev.understudy.sidecar.inbound;

import org.jspecify.annotations.NullMarked;

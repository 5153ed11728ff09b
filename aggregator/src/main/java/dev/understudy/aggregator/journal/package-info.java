/**
 * What production's upstreams answered, kept until the debug JVM asks the same.
 *
 * <pre>
 * record ──▶ Journal.add(Recorded) ──▶ [ReplyQueue of its Form: first in, first out] ──▶ Journal.take(Form) ──▶ replay
 *                   │                            ▲
 *                   └── evicted by bytes or age ─┘   (counted by {@link dev.understudy.aggregator.exchange.Eviction})
 * </pre>
 *
 * <p>What memory has no room for waits in {@link dev.understudy.aggregator.journal.disk.JournalDisk}. Nothing here
 * knows a protocol, a socket or an address.
 */
@NullMarked
package dev.understudy.aggregator.journal;

import org.jspecify.annotations.NullMarked;

/**
 * Long runs of a reply's bytes, which are never whole in memory: written to files piece by piece as they come, read
 * back piece by piece as they are wanted.
 *
 * <pre>
 *   recorder ── bytes ──▶ BodyWriter ── pieces ──▶ LargeBodies: a relay.stream.Spill with a thread of its own
 *      │ end                                              │
 *      └──▶ LargeBody, part of a reply ──▶ journal ──▶ BodyReader ──▶ the debug connection, as it reads
 * </pre>
 *
 * <p>Nobody here waits: a recorder leaves pieces to the files' thread, a debug connection is told on its event loop.
 * What the disk doesn't take, or not in time, isn't recorded, for a {@link dev.understudy.aggregator.body.Loss}.
 */
@NullMarked
package dev.understudy.aggregator.body;

import org.jspecify.annotations.NullMarked;

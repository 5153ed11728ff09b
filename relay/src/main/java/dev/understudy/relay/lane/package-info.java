/**
 * From the relay loop to the lane loop, bounded and without ever waiting.
 *
 * <pre>
 *     relay loop    │ lane loop
 *                   │
 *   Tap = Lane ── queue ─▶ turn ──────────────▶ LaneObserver (the floor above)
 *         │         │        │ no room    ▲ resume
 *     MemoryBudget  │        └─▶ Backlog ─┘ memory, then {@link dev.understudy.relay.stream.Spill}
 * </pre>
 *
 * <p>Memory on the way is charged to a {@link dev.understudy.relay.lane.MemoryBudget}, entries and pinned buffers
 * included; what doesn't fit is lost, counted with a {@link dev.understudy.relay.lane.LossReason}, and ends that lane's
 * copy.
 */
@NullMarked
package dev.understudy.relay.lane;

import org.jspecify.annotations.NullMarked;

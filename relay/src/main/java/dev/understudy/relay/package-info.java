/**
 * Moving bytes: listen, relay, tap, lane, window, deliver.
 *
 * <pre>
 *              relay loop: one for both sockets of a connection              │ lane loop: all of the debug side
 *                                                                            │
 *  client ─▶ Listener ─▶ TapHandler ─▶ ForwardHandler ═══▶ production        │
 *                            │ copy, after the flush                         │
 *                            ▼                                               │
 *                         TapGuard ─▶ Tap = Lane ──── queue ─────────────────┼─▶ LaneObserver (the floor above)
 *                            ▲                    bounded, one wake-up       │        │ Cue
 *                            │ copy, after the flush                         │        ▼
 *  client ◀═══════════ ForwardHandler ◀─ TapHandler ◀─ production            │     Window ─▶ Deliverer ─▶ debug
 *                                                                            │        ▲ Gate      │
 *             Relay: how the connection lives and ends                       │   MemoryBudget     └▶ DebugObserver
 * </pre>
 *
 * <p>{@link dev.understudy.relay.accept} and {@link dev.understudy.relay.tls} see to a client before it is relayed; {@link
 * dev.understudy.relay.connect} finds production among its addresses. Relay loops do nothing but move bytes between client and production: a {@link dev.understudy.relay.Tap} gets its copy
 * after the real receiver, must not block, and can't hurt the connection. {@link dev.understudy.relay.Lane#data} ends
 * in a single-producer single-consumer queue; everything behind it runs on the lane's loop. Memory on the way is charged to
 * a {@link dev.understudy.relay.MemoryBudget}, entries and pinned buffers included; what doesn't fit is lost, counted, and
 * ends that lane's copy. Names are looked up on threads of their own.
 *
 * <p>What the observer has no room for waits in the lane's {@link dev.understudy.relay.Backlog}, in memory and then, through
 * {@link dev.understudy.relay.stream.Spill}, on disk.
 *
 * <p>Neither sidecar nor aggregator is known here: each supplies a {@link dev.understudy.relay.TapFactory}.
 */
@NullMarked
package dev.understudy.relay;

import org.jspecify.annotations.NullMarked;

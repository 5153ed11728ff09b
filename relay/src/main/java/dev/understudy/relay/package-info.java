/**
 * Moving bytes: listen, relay, tap, lane, window, deliver.
 *
 * <pre>
 *              relay loop: one for both sockets of a connection              │ lane loop: all of the debug side
 *                                                                            │
 *  client ─▶ Listener ─▶ TapHandler ─▶ ForwardHandler ═══▶ production        │
 *                            │ held until the flush, then copied             │
 *                            ▼                                               │
 *                         TapGuard ─▶ Tap = Lane ──── queue ─────────────────┼─▶ LaneObserver (the floor above)
 *                            ▲                    bounded, one wake-up       │        │ DebugEvent
 *                            │ copy, after the flush                         │        ▼
 *  client ◀═══════════ ForwardHandler ◀─ TapHandler ◀─ production            │     Window ─▶ Deliverer ─▶ debug
 *                                                                            │        ▲ Gate      │
 *             Relay: how the connection lives and ends                       │   MemoryBudget     └▶ DebugObserver
 * </pre>
 *
 * <p>{@link dev.understudy.relay.accept} and {@link dev.understudy.relay.tls} see to a client before it is relayed;
 * {@link dev.understudy.relay.connect} finds production among its addresses. Relay loops do nothing but move bytes
 * between client and production: a {@link dev.understudy.relay.tap.Tap} gets its copy after the real receiver, must not
 * block, and can't hurt the connection. One that hands its copies to another loop is the
 * {@link dev.understudy.relay.lane.Lane}; {@link dev.understudy.relay.deliver} is what brings them to a debug JVM.
 * Where both sides are processes of their own, {@link dev.understudy.relay.ring} is in between. Neither is known here,
 * nor are sidecar and aggregator: each supplies a {@link dev.understudy.relay.tap.TapFactory}.
 */
@NullMarked
package dev.understudy.relay;

import org.jspecify.annotations.NullMarked;

/**
 * The debug copy of a connection, from the tapped bytes to the verdict.
 *
 * <pre>
 *   relay.Lane ──▶ DebugLane ──▶ Intake        ──▶ Delivery ──▶ relay.Window ──▶ relay.Deliverer ──▶ debug JVM
 *                    │              │ frames          │ order gate, identities, traceparent            │
 *                    │              ▼                 ▼                                                │
 *                    │           Exchange ◀── Exchanges ◀── ReplyStream (debug) ◀──────────────────────┘
 *                    └──▶ ReplyStream (production) ──▶ │
 *                                                      ▼
 *                                                    Judge ──▶ comparison, verdicts, traces, tally
 * </pre>
 *
 * <p>Everything of one connection runs on its lane loop. What lanes share ({@link
 * dev.understudy.sidecar.lane.LaneShared}) is safe for several threads. Connections that can't be framed, or shall
 * not be (protocol {@code tcp}), go the same way without exchanges.
 */
@NullMarked
package dev.understudy.sidecar.lane;

import org.jspecify.annotations.NullMarked;

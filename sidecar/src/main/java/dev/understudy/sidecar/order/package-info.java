/**
 * Production's happens-before, kept on the debug side.
 *
 * <pre>
 *   production   i ├────────┤                    i ended before j arrived,
 *                    k ├─────────────────┤       k did not
 *                              j ├────┤
 *
 *   debug        i ├──────────────┤
 *                    k ├──────────────────────┤
 *                                 j ├────┤       j waits for i, not for k
 * </pre>
 *
 * <p>{@link dev.understudy.sidecar.order.OrderGate} holds what ended in production and not yet in debug, as
 * {@link dev.understudy.sidecar.order.Ticket}s; a lane asks through its {@link dev.understudy.sidecar.order.Turn}.
 * {@link dev.understudy.sidecar.order.Horizon} says up to which moment all lanes have told what they saw, and
 * {@link dev.understudy.sidecar.order.DebugClock} bounds the waiting.
 */
@NullMarked
package dev.understudy.sidecar.order;

import org.jspecify.annotations.NullMarked;

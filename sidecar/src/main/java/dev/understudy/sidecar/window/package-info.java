/**
 * The debug window: how far the debug JVM lags, how fast it works, and how long the window will last.
 *
 * <pre>
 *   lanes ──▶ Traffic (arrived, answered, busy) ──┐
 *   budget, gate ─────────────────────────────────┴─▶ WindowModel.tick ──▶ WindowState (status, SSE, metrics)
 *                                                          │
 *                                                          └─ OverflowTime: E[T] of the M/M/1/K queue
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.window;

import org.jspecify.annotations.NullMarked;

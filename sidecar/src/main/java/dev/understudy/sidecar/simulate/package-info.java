/**
 * How long a debug window lasts, before anything is started: the closed form beside simulations of the same queue.
 *
 * <pre>
 *   Load, slow-down, buffer ──▶ Queue (discrete events, seeded) ──▶ Overflows (mean, 95 % interval)
 *           │                                                           │
 *           └─────────▶ window.OverflowTime (closed form) ──────────────┴──▶ Study ──▶ text table, Plot (SVG)
 * </pre>
 *
 * <p>The two studies are those of the thesis (seed 002, section 3.4.2): table 3.1's rates and buffer sizes, and figure
 * 3.5's sweep of the slow-down up to and beyond the rate at which the queue is saturated.
 */
@NullMarked
package dev.understudy.sidecar.simulate;

import org.jspecify.annotations.NullMarked;

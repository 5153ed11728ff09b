/**
 * What the control port answers of stacks and allocations: as trees for programs, and drawn for the console.
 *
 * <pre>
 *  POST /v1/stacks, GET /v1/flame ────────▶ FlameControl ─────┐
 *                                                             ├─▶ FlameQuery, RouteTimes
 *  POST /v1/allocations, GET /v1/allocations ▶ AllocationControl
 *                                                             │
 *  GET /v1/flame/graph ───────────────────▶ FlameGraphView ───┘
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.control.flame;

import org.jspecify.annotations.NullMarked;

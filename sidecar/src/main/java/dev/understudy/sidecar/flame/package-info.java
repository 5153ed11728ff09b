/**
 * What a debug JVM's threads do and allocate while they serve exchanges, route by route: the stacks that its agent
 * takes, and the allocations that it samples, joined with the routes that lane loops tell of.
 *
 * <pre>
 *  POST /v1/stacks ─▶ StackBatch ─▶ Flames ─────────────────────┐               ┌─▶ Flame ─▶ GET /v1/flame
 *                                                               ▼               │
 *  Judge ─▶ RecentExchanges ──────────────────────────────▶ RouteTrees ─▶ CallTree (one for each route)
 *                                                               ▲               │
 *  POST /v1/allocations ─▶ AllocationBatch ─▶ AllocationProfile ┘               └─▶ Allocated ─▶ GET /v1/allocations
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.flame;

import org.jspecify.annotations.NullMarked;

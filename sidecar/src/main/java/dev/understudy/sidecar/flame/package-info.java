/**
 * What a debug JVM's threads do while they serve exchanges, route by route: the stacks that its agent takes, joined with the routes
 * that lane loops tell of.
 *
 * <pre>
 *  POST /v1/stacks ─▶ StackBatch ─▶ Flames ─▶ CallTree (one for each route) ─▶ Flame ─▶ GET /v1/flame
 *  Judge ─▶ ended ────────────────────┘
 *
 *  POST /v1/allocations ─▶ AllocationBatch ─▶ Allocations ─▶ CallTree (one for each agent) ─▶ Allocated ─▶ GET /v1/allocations
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.flame;

import org.jspecify.annotations.NullMarked;

/**
 * Log points and snapshots: what a running application is asked at a place of its code.
 *
 * <pre>
 *   orders ──▶ PointOrder ──▶ PointSpec (as ordered) ──▶ LivePoint (condition, limits, counts)
 *                  └──retransform──▶ PointTransformer ──▶ MethodVariables ──▶ PointVisitor ──▶ class file
 *   woven place ──▶ bootstrap.Points ──▶ PointSite ──▶ LivePoint ──▶ Hits ──▶ HitBatch ──▶ sidecar
 * </pre>
 *
 * <p>The transformer stands between the patches and what weaves place-holders, so that a place is in the code that
 * runs.
 */
@NullMarked
package dev.understudy.agent.point;

import org.jspecify.annotations.NullMarked;

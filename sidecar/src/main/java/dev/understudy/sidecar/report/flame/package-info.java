/**
 * Flame graphs in the process of {@code understudy flame}, from what the sidecar's {@code /v1/flame} answers.
 *
 * <pre>
 *  /v1/flame ─▶ Profile ─▶ RouteProfile ─▶ Collapsed (text), FlamePage (HTML: FlameBoxes), hottest methods
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.report.flame;

import org.jspecify.annotations.NullMarked;

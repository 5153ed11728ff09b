/**
 * What all verdicts of a session come to, in memory that doesn't grow with it: per route how many of each kind and how
 * long both sides took, divergences by what they have in common, and how often each kind of noise was overlooked where.
 *
 * <pre>
 *  Judge ─▶ Findings ─▶ RouteStatistics (one for each listener) ─▶ RouteFigures, Causes, Places ─▶ RouteSnapshot
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.finding;

import org.jspecify.annotations.NullMarked;

/**
 * What the operator wants of this JVM while it runs, and what has been done about it.
 *
 * <pre>
 *   WindowFeed ──revision──▶ OrderFollower ──GET /v1/orders──▶ OrderSheet ──kind by kind──▶ Order
 *                              └──▶ export.Report: revision, standing, problems
 * </pre>
 *
 * <p>The sheet says what should hold, not what to do: an agent that starts, or has missed something, comes to the same
 * state.
 */
@NullMarked
package dev.understudy.agent.orders;

import org.jspecify.annotations.NullMarked;

/**
 * Locks of the application: where they are taken, how long for, and in which order.
 *
 * <pre>
 * LockVisitor (in whatever is woven) ──▶ bootstrap.Locks ──▶ Observation: how long it waited there ──▶ export
 *                                              └──▶ Nestings ──▶ LockOrder (a graph of objects) ──▶ LockCycle ──▶ export.Report
 * </pre>
 */
@NullMarked
package dev.understudy.agent.lock;

import org.jspecify.annotations.NullMarked;

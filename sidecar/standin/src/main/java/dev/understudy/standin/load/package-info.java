/**
 * Makes load by a model: open-loop traffic with production's mix, measured from when each request was due.
 *
 * <pre>
 *   ServiceModel ─▶ LoadPlan ─▶ LoadPacer ─▶ RequestBacklog ─▶ LoadConnections ─▶ LoadConnection ─▶ target
 *                                (a thread)                     (an event loop)          └▶ LoadMeter ─▶ LoadResult
 * </pre>
 */
@NullMarked
package dev.understudy.standin.load;

import org.jspecify.annotations.NullMarked;

/**
 * Records all that is done for a few exchanges: which methods were called with what, and what they returned.
 *
 * <pre>
 *   orders ─▶ ExecutionOrder ─retransform─▶ ExecutionTransformer ─▶ ExecutionVisitor ─▶ class file
 *   woven method ─▶ bootstrap.Executions ─▶ ExecutionLog ─▶ ExecutionTrace ─▶ ExecutionBatch
 * </pre>
 *
 * <p>Nothing is woven for it unless it is ordered, and the classes are as before once the order is gone.
 */
@NullMarked
package dev.understudy.agent.execution;

import org.jspecify.annotations.NullMarked;

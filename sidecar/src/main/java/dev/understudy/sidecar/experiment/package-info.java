/**
 * Where two recorded executions part: one of a request that fails, and one of a request that doesn't.
 *
 * <pre>
 * agent ─▶ ExecutionReader ─▶ ExecutionTree (failing) ┐
 *                             ExecutionCall           ├▶ AlignedCalls ─▶ ExecutionDiff ─▶ ExecutionParting
 * agent ─▶ ExecutionReader ─▶ ExecutionTree (passing) ┘   CallAlignment   CallOutcome
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.experiment;

import org.jspecify.annotations.NullMarked;

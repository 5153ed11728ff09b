/**
 * Experiments on the copy: a failing request and good ones are sent to it again, and where their executions part is
 * sought.
 *
 * <pre>
 * POST /v1/comparisons ─▶ ComparisonControl ─▶ Comparison ─▶ Requests (which), RecordingOrders (to agents)
 *                            ComparisonReport    ComparedRequests ◀─ Reducer (the smallest)
 *
 * agent ─▶ ExecutionReader ─▶ ExecutionTree (failing) ┐
 *                             ExecutionCall           ├▶ AlignedCalls ─▶ ExecutionDiff ─▶ ExecutionParting
 * agent ─▶ ExecutionReader ─▶ ExecutionTree (good)    ┘   CallAlignment   CallOutcome
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.experiment;

import org.jspecify.annotations.NullMarked;

/**
 * Takes the stacks of threads that serve exchanges, now and then, and of what is allocated, for flame graphs.
 *
 * <pre>
 * budget.Stacking (how often) ──▶ StackSampler ◀── bootstrap.Serving (which threads)
 *                                      │ ThreadStacks
 *                                      ▼
 *                                 TakenStacks ──▶ StackBatchWriter ──▶ sidecar/v1/stacks, which knows the routes
 *
 * the JVM's flight recorder ──▶ AllocationStream or AllocationSlices ◀── AllocationSampling (how many a second, from when on)
 *                                   ▼
 * bootstrap.ThreadSwitches ──▶ SampledAllocations (whose) ──▶ AllocatedStacks ──▶ AllocationBatchWriter ──▶ sidecar/v1/allocations
 * </pre>
 *
 * <p>All of it runs on the agent's own threads. What finds no room is dropped and counted.
 */
@NullMarked
package dev.understudy.agent.stack;

import org.jspecify.annotations.NullMarked;

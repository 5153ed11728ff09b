/**
 * Which methods can be called, in however many steps, by those that the operator names.
 *
 * <pre>
 * loaded classes ──▶ LoadedCalls ──▶ ClassCalls (what a class file calls) ──▶ CallGraph ──▶ Reached
 *                                                   Reachability (a thread; when there are new classes) ──▶ ProbeOrder
 * </pre>
 */
@NullMarked
package dev.understudy.agent.reach;

import org.jspecify.annotations.NullMarked;

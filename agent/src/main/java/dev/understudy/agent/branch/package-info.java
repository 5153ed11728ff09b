/**
 * The second level: which way each jump went, and what values methods had, in the few classes that are named.
 *
 * <pre>
 * class file ──▶ SecondLevel (named?) ──▶ ClassBranches ─┬─▶ MethodBranches (its jumps, their lines; Deciders: by what)
 *                                                        ├─▶ MethodValues (its values, pairs of numbers; Slots, Variables)
 *                                                        ├─▶ BranchVisitor, ValueVisitor ──▶ class file
 *                                                        └─▶ BranchDirectory (numbers) ──▶ JumpSite: BranchSite, BranchValue
 * </pre>
 */
@NullMarked
package dev.understudy.agent.branch;

import org.jspecify.annotations.NullMarked;

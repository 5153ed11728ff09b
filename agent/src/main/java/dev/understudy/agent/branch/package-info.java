/**
 * The second level: which way each jump went, and what values methods had, in the few classes that are named.
 *
 * <pre>
 *   class file ──▶ SecondLevel (named?) ──▶ ClassBranches ──▶ MethodBranches (its jumps and their lines; Deciders: by what they are decided)
 *                                                │    └────▶ MethodValues (its values and pairs of numbers: Slots, Variables)
 *                                                ├──▶ BranchVisitor, ValueVisitor ──▶ class file
 *                                                └──▶ BranchDirectory (numbers) ──▶ JumpSite: BranchSite, BranchValue (what one stands for)
 * </pre>
 */
@NullMarked
package dev.understudy.agent.branch;

import org.jspecify.annotations.NullMarked;

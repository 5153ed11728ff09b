/**
 * The second level: which way each jump went, in the few classes that are named.
 *
 * <pre>
 *   class file ──▶ SecondLevel (named?) ──▶ ClassBranches ──▶ MethodBranches (its jumps and their lines)
 *                                                └──▶ BranchVisitor ──▶ class file
 *                                                └──▶ BranchDirectory (numbers) ──▶ Branch (what one stands for)
 * </pre>
 */
@NullMarked
package dev.understudy.agent.branch;

import org.jspecify.annotations.NullMarked;

/**
 * How often comparisons are right: mutations of replies that must be reported (recall), two services that do the same
 * with noise of many kinds, of which nothing must be (precision), and both beside the method that asks production
 * twice. Everything is seeded.
 *
 * <pre>
 *   samples/*.http ─▶ Sample ─▶ Mutation ─▶ Recall ─┐
 *   Shop (twice, or three times) ─▶ Session ─┬──────┴▶ HttpComparison ─▶ LearnedNoise
 *                                            └▶ ThreeWay (a measuring stick)
 * </pre>
 */
@NullMarked
package dev.understudy.it.divergence;

import org.jspecify.annotations.NullMarked;

/**
 * What differs between two JVMs that do the same, learned from their replies alone.
 *
 * <pre>
 * a verdict DIFFERENT ─▶ Sighting ─▶ NoiseKind (by its looks) ─▶ LearnedPath ─▶ Evidence: has it been proven? does it still fit?
 * </pre>
 *
 * <p>There is no third instance to say what production would answer a second time. So a kind is learned only if its
 * values say nothing on either side whatever they are (fresh random ones, times that go with the clock), or if
 * production contradicts itself (an order).
 */
@NullMarked
package dev.understudy.divergence.noise.learn;

import org.jspecify.annotations.NullMarked;

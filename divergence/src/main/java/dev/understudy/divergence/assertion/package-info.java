/**
 * Comparing replies in tests of one's own, without any other part of this project:
 *
 * <pre>
 * assertThat(json("{\"id\":7,\"tags\":[1,2]}")).isEquivalentTo(json("{ \"tags\": [1,2], \"id\": 7 }"));
 * assertThat(reply(fromNewBuild)).isEquivalentTo(reply(fromOldBuild), List.of(new NoiseRule("*", "body.visits", ValueClass.NUMBER)));
 * </pre>
 */
@NullMarked
package dev.understudy.divergence.assertion;

import org.jspecify.annotations.NullMarked;

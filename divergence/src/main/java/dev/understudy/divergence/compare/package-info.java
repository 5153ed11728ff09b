/**
 * What a comparison says: a {@link Verdict} with its {@link Difference}s, by {@link ComparisonRules}.
 *
 * <pre>
 *  http, redis, sql  compare the replies of one exchange, and say a verdict
 *    value          compare trees and texts that stand in bodies
 *    body           hold a body as it arrives, or what is to be known of one that is too large
 * </pre>
 */
@NullMarked
package dev.understudy.divergence.compare;

import org.jspecify.annotations.NullMarked;

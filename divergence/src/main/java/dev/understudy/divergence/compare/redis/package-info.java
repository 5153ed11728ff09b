/**
 * How the replies of two Redis servers to the same command differ.
 */
@NullMarked
package dev.understudy.divergence.compare.redis;

import org.jspecify.annotations.NullMarked;

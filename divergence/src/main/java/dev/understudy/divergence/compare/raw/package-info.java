/**
 * Compares what two servers say on one connection of a protocol that nobody cuts into replies: byte by byte, as it
 * arrives.
 */
@NullMarked
package dev.understudy.divergence.compare.raw;

import org.jspecify.annotations.NullMarked;

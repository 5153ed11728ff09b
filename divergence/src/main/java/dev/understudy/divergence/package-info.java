/**
 * Exchanges of the wire protocols, and how two of them differ.
 */
@NullMarked
package dev.understudy.divergence;

import org.jspecify.annotations.NullMarked;

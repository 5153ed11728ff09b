/**
 * Rules that people wrote, or let be written for their review, about what may differ: where, and what kind of value
 * stands there.
 */
@NullMarked
package dev.understudy.divergence.noise;

import org.jspecify.annotations.NullMarked;

/**
 * A body as it arrives: held up to a limit, beyond it read and remembered in a bounded space.
 */
@NullMarked
package dev.understudy.divergence.compare.body;

import org.jspecify.annotations.NullMarked;

/**
 * How two values differ: trees of JSON and of what is read as such, and texts.
 */
@NullMarked
package dev.understudy.divergence.compare.value;

import org.jspecify.annotations.NullMarked;

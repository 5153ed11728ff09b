/**
 * Content codings: what a body was compressed with, undone within bounds.
 */
@NullMarked
package dev.understudy.divergence.content.coding;

import org.jspecify.annotations.NullMarked;

/**
 * Hides secrets before anything of an exchange is shown, stored or exported.
 */
@NullMarked
package dev.understudy.divergence.mask;

import org.jspecify.annotations.NullMarked;

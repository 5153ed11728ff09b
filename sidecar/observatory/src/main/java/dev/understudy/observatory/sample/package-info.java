/**
 * Samples as they lie in files, and as series of numbers on one clock.
 */
@NullMarked
package dev.understudy.observatory.sample;

import org.jspecify.annotations.NullMarked;

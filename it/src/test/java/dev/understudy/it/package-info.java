/**
 * End-to-end tests: everything as processes or containers, seen from outside.
 */
@NullMarked
package dev.understudy.it;

import org.jspecify.annotations.NullMarked;

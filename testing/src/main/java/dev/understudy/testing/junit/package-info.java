/**
 * The extension for JUnit 5.
 */
@NullMarked
package dev.understudy.testing.junit;

import org.jspecify.annotations.NullMarked;

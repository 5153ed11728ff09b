/**
 * The control ports of both programs, typed.
 */
@NullMarked
package dev.understudy.testing.client;

import org.jspecify.annotations.NullMarked;

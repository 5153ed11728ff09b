/**
 * Relates the values that each JVM makes up for itself (session ids, tokens, generated keys), so that a later request
 * that carries production's value reaches the debug JVM with its own.
 */
@NullMarked
package dev.understudy.divergence.identity;

import org.jspecify.annotations.NullMarked;

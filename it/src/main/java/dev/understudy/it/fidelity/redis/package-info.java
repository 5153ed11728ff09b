/** Suites for Redis. */
@NullMarked
package dev.understudy.it.fidelity.redis;

import org.jspecify.annotations.NullMarked;

/**
 * Frames Redis byte streams (RESP2, RESP3 and inline commands) into values, and writes values as bytes.
 */
@NullMarked
package dev.understudy.divergence.wire.redis;

import org.jspecify.annotations.NullMarked;

/**
 * Calls of the debug JVM that a running server answers, where an upstream's settings want that: reads by the real
 * upstream ({@code miss: live}), any call by a stand-in ({@code miss: standin}). What decides which request is a read
 * is with its protocol; who can open connections is the assembly alone.
 */
@NullMarked
package dev.understudy.aggregator.live;

import org.jspecify.annotations.NullMarked;

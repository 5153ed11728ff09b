/**
 * Reads of the debug JVM that the real upstream answers, where an upstream's settings want that ({@code miss: live}).
 * What decides which request is a read is with its protocol; who can open connections is the assembly alone.
 */
@NullMarked
package dev.understudy.aggregator.live;

import org.jspecify.annotations.NullMarked;

/**
 * A debug JVM that somebody stops at a breakpoint, or that dies again and again, while production goes on.
 */
@NullMarked
package dev.understudy.it.debug;

import org.jspecify.annotations.NullMarked;

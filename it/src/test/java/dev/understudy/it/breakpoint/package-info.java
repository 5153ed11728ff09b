/**
 * A debug JVM that somebody stops at a breakpoint, while production goes on.
 */
@NullMarked
package dev.understudy.it.breakpoint;

import org.jspecify.annotations.NullMarked;

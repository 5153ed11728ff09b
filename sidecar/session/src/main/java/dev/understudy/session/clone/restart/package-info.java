/**
 * How a running process was started, and the command that starts a copy of it.
 */
@NullMarked
package dev.understudy.session.clone.restart;

import org.jspecify.annotations.NullMarked;

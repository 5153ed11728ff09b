/**
 * What the kernel shows of a process below {@code /proc}: each file is read to a limit, and nothing is written.
 */
@NullMarked
package dev.understudy.session.target.proc;

import org.jspecify.annotations.NullMarked;

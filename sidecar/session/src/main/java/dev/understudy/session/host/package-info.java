/**
 * The programs of this machine that a session runs, each with a time limit and a bound on what it prints.
 */
@NullMarked
package dev.understudy.session.host;

import org.jspecify.annotations.NullMarked;

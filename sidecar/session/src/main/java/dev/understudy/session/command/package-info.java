/**
 * The command line of a session.
 */
@NullMarked
package dev.understudy.session.command;

import org.jspecify.annotations.NullMarked;

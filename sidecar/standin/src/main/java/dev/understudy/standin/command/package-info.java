/**
 * The command line: {@code understudy standin}, {@code understudy load} and {@code understudy graph}.
 */
@NullMarked
package dev.understudy.standin.command;

import org.jspecify.annotations.NullMarked;

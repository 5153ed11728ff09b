/**
 * The command line: {@code understudy kubernetes}.
 */
@NullMarked
package dev.understudy.kubernetes.command;

import org.jspecify.annotations.NullMarked;

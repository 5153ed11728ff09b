/**
 * The command line: {@code understudy node} and {@code understudy bottlenecks}.
 */
@NullMarked
package dev.understudy.observatory.command;

import org.jspecify.annotations.NullMarked;

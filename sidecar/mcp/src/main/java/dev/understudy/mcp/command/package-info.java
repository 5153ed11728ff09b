/**
 * The command line: {@code understudy mcp}.
 */
@NullMarked
package dev.understudy.mcp.command;

import org.jspecify.annotations.NullMarked;

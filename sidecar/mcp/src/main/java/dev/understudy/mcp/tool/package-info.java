/**
 * What a tool is: its parameters, its checked arguments, its bounded answer, and how it is run.
 */
@NullMarked
package dev.understudy.mcp.tool;

import org.jspecify.annotations.NullMarked;

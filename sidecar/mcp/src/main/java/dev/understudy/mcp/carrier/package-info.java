/**
 * How messages come and go: as lines of standard input and output, or by HTTP.
 *
 * <p>Both carriers give bytes to one {@code MessageDispatcher}, which gives them to the SDK and cleans what it answers.
 */
@NullMarked
package dev.understudy.mcp.carrier;

import org.jspecify.annotations.NullMarked;

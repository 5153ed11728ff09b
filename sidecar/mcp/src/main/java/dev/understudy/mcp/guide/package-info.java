/**
 * What a client can read besides tools: resources, and prompts that say in which order to use the tools.
 */
@NullMarked
package dev.understudy.mcp.guide;

import org.jspecify.annotations.NullMarked;

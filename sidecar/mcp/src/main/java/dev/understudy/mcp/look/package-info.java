/**
 * Tools that only look: any role but an agent's may use them.
 */
@NullMarked
package dev.understudy.mcp.look;

import org.jspecify.annotations.NullMarked;

/**
 * Tools that order what is easily taken back: probes and points.
 */
@NullMarked
package dev.understudy.mcp.steer;

import org.jspecify.annotations.NullMarked;

/**
 * Tools that replace code in the debug JVM, which are only there if the start allows them.
 */
@NullMarked
package dev.understudy.mcp.patch;

import org.jspecify.annotations.NullMarked;

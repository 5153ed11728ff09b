/**
 * The control ports of the sidecar and the aggregator, asked by the client that all commands have.
 */
@NullMarked
package dev.understudy.mcp.port;

import org.jspecify.annotations.NullMarked;

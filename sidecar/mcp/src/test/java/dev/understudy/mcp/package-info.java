/**
 * Tests of the MCP server with the SDK's own client, before a real sidecar and aggregator in this JVM.
 */
package dev.understudy.mcp;

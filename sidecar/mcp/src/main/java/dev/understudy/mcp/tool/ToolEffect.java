package dev.understudy.mcp.tool;

/** What a tool may change; clients show it before they call. */
public enum ToolEffect {
    /** Nothing. */
    LOOK,
    /** What agents observe; it is easily taken back. */
    STEER,
    /** The code that debug JVMs run. */
    PATCH
}

package dev.understudy.mcp.tool;

/** What a tool may change; clients show it before they call. */
public enum ToolEffect {
    /** Nothing. */
    LOOK,
    /** What agents observe; it is easily taken back. */
    STEER,
    /** What a debug JVM keeps: it serves a request more than production did. */
    REPLAY,
    /** The code that debug JVMs run. */
    PATCH
}

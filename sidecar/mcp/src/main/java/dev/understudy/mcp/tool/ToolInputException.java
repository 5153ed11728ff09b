package dev.understudy.mcp.tool;

/** An argument is wrong; the message names it, what it is, and what was expected. */
public final class ToolInputException extends Exception {
    private static final long serialVersionUID = 1;

    public ToolInputException(String message) {
        super(message);
    }
}

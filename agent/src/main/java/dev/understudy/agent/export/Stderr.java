package dev.understudy.agent.export;

/** The agent's own lines, on stderr and nowhere else, so that no logging framework is touched. */
public final class Stderr {
    private Stderr() {}

    /** Prints one line after the agent's name. */
    public static void line(String text) {
        System.err.println("[understudy] " + text);
    }
}

package dev.understudy.agent.export;

/** The agent's own lines, on stderr and nowhere else, so that no logging framework is touched. */
public final class Stderr {
    private Stderr() {}

    /** Prints one line after the agent's name. */
    public static void line(String text) {
        System.err.println("[understudy] " + text);
    }

    /** The sidecar answers an agent with that status: whoever has forgotten the token should find out. */
    public static void refused(int status) {
        line("the sidecar answers " + status
                + (status == 401 ? " (expected: one of its tokens for agents as the agent's setting token)" : ""));
    }
}

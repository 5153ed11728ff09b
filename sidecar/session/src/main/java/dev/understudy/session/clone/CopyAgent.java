package dev.understudy.session.clone;

import java.nio.file.Path;
import java.util.Map;

/**
 * The agent of a copy.
 *
 * @param jar on this machine
 * @param settings by the agent's own names. Tokens are among them: never shown
 */
public record CopyAgent(Path jar, Map<String, String> settings) {
    public CopyAgent {
        settings = Map.copyOf(settings);
    }

    /** Secrets don't get into a log by accident. */
    @Override
    public String toString() {
        return "CopyAgent[" + jar + "]";
    }
}

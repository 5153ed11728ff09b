package dev.understudy.session.clone;

import java.nio.file.Path;
import java.util.Map;

/**
 * The agent of a copy that is started with it.
 *
 * @param jar on this machine
 * @param settings by the agent's own names. A token is among them: never shown
 */
public record CopyAgent(Path jar, Map<String, String> settings) {
    public CopyAgent {
        settings = Map.copyOf(settings);
    }
}

package dev.understudy.relay.config;

import java.util.ArrayList;
import java.util.List;

/**
 * Everything that is wrong with one configuration, collected so that it can be reported at once.
 *
 * <p>Confined to the thread that reads the configuration.
 */
public final class Problems {
    private final List<String> lines = new ArrayList<>();

    /**
     * Adds one problem.
     *
     * @param place where: {@code file:line:column}, a flag or the name of an environment variable
     * @param message the setting's path, its value and what was expected
     */
    public void add(String place, String message) {
        lines.add(place + ": " + message);
    }

    /** Returns the problems so far, in the order in which they were met. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /**
     * Ends the reading.
     *
     * @throws ConfigException with all problems, when there is at least one
     */
    public void throwIfAny() {
        if (!lines.isEmpty()) {
            throw new ConfigException(lines);
        }
    }
}

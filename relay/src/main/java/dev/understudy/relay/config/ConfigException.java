package dev.understudy.relay.config;

import java.util.List;

/** A configuration that cannot be used, with every problem it has. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    ConfigException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems, each a line that begins with its place. */
    public List<String> problems() {
        return problems;
    }
}

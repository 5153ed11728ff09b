package dev.understudy.mcp.port;

import dev.understudy.sidecar.command.control.ControlClient;

/** A path of a control port with its query, which leaves out what is empty. Confined to one thread. */
public final class ControlQuery {
    private final StringBuilder path;
    private char separator = '?';

    private ControlQuery(String path) {
        this.path = new StringBuilder(path);
    }

    /** Without a query yet. */
    public static ControlQuery of(String path) {
        return new ControlQuery(path);
    }

    /** With that value, unless it is empty. */
    public ControlQuery with(String name, String value) {
        if (!value.isEmpty()) {
            path.append(separator).append(name).append('=').append(ControlClient.segment(value));
            separator = '&';
        }
        return this;
    }

    /** With that number. */
    public ControlQuery with(String name, long value) {
        return with(name, Long.toString(value));
    }

    /** All of it. */
    public String path() {
        return path.toString();
    }
}

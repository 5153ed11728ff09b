package dev.understudy.it.fidelity.server;

/**
 * What a real server has been asked since its start, by its own count.
 *
 * @param connections that it accepted
 * @param commands that it ran
 */
public record Census(long connections, long commands) {
    /** What came in between, all in all. */
    public long since(Census before) {
        return connections - before.connections + commands - before.commands;
    }
}

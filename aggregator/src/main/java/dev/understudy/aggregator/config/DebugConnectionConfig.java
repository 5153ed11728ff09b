package dev.understudy.aggregator.config;

import dev.understudy.aggregator.limit.DebugBudget;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.loop.DebugSockets;
import java.time.Duration;

/**
 * How much the debug JVM's connections to all upstreams may take of what production's need as well.
 *
 * @param memory bytes that all connections may make the process hold
 * @param connectionMemory bytes of one of them
 * @param maxConnections how many may be open
 * @param loginTimeout how long a client of PostgreSQL or MySQL may take to log in
 * @param idleTimeout how long a connection may be silent in both directions; zero for any time
 */
public record DebugConnectionConfig(
        long memory, long connectionMemory, int maxConnections, Duration loginTimeout, Duration idleTimeout) {
    private static final int MOST = 1_000_000;

    static DebugConnectionConfig read(Section section) {
        return new DebugConnectionConfig(
                section.optional("memory", Value.bytes(), 256L << 20),
                section.optional("connection-memory", Value.bytes(), 64L << 20),
                section.optional("max-connections", Value.integer(1, MOST), 1_000),
                section.optional("login-timeout", Value.duration(), Duration.ofMinutes(1)),
                section.optional("idle-timeout", Value.durationOrNone(), Duration.ofHours(8)));
    }

    /** The budget with these bounds, of which nothing is taken. */
    public DebugBudget budget(DebugSockets sockets) {
        return new DebugBudget(memory, connectionMemory, maxConnections, loginTimeout, idleTimeout, sockets);
    }

    /** The same with less memory. */
    public DebugConnectionConfig withMemory(long less) {
        return new DebugConnectionConfig(
                less, Math.min(connectionMemory, Math.max(1, less / 2)), maxConnections, loginTimeout, idleTimeout);
    }
}

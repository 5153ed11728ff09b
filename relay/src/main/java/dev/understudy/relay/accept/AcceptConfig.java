package dev.understudy.relay.accept;

import dev.understudy.relay.tls.TerminateConfig;
import org.jspecify.annotations.Nullable;

/**
 * Which clients a listener lets in.
 *
 * @param maxConnections connections relayed at a time, 1 to 1 000 000; more wait unaccepted in the kernel's queue
 * @param maxRate connections accepted in a second, 1 to 1 000 000, or 0 for any number; more wait as well
 * @param proxy whether they come with a PROXY header
 * @param tls what they are answered with if they speak TLS; null if they don't, or if it is passed on as bytes
 */
public record AcceptConfig(
        int maxConnections,
        int maxRate,
        ProxyProtocolConfig proxy,
        @Nullable TerminateConfig tls) {
    /** The most that either limit can be. */
    public static final int MOST = 1_000_000;

    public AcceptConfig {
        if (maxConnections < 1 || maxConnections > MOST) {
            throw new IllegalArgumentException("max-connections: " + maxConnections + " (expected: 1 to " + MOST + ")");
        }
        if (maxRate < 0 || maxRate > MOST) {
            throw new IllegalArgumentException("max-accept-rate: " + maxRate + " (expected: 0 to " + MOST + ")");
        }
    }

    /** Without TLS. */
    public AcceptConfig(int maxConnections, int maxRate, ProxyProtocolConfig proxy) {
        this(maxConnections, maxRate, proxy, null);
    }

    /** At most 20 000 connections, at any rate, without headers. */
    public static AcceptConfig defaults() {
        return new AcceptConfig(20_000, 0, ProxyProtocolConfig.OFF);
    }

    /** The same with another limit. */
    public AcceptConfig atMost(int connections) {
        return new AcceptConfig(connections, maxRate, proxy, tls);
    }
}

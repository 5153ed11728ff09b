package dev.understudy.relay;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * One listener and the production address it relays to.
 *
 * @param name names the listener in metrics, messages and reports
 * @param listen where to accept; port 0 takes a free one
 * @param productionHost host name or address of production; a name is looked up at each connect, off the event loops
 * @param productionPort 1 to 65535
 * @param connectTimeout how long production may take to accept, 1 ms to 24 days
 * @param maxConnections connections relayed at a time, at least 1; more wait unaccepted in the kernel's queue
 */
public record RelayConfig(
        String name,
        InetSocketAddress listen,
        String productionHost,
        int productionPort,
        Duration connectTimeout,
        int maxConnections) {

    public RelayConfig {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: blank (expected: a name)");
        }
        if (productionPort < 1 || productionPort > 0xffff) {
            throw new IllegalArgumentException("productionPort: " + productionPort + " (expected: 1 to 65535)");
        }
        if (connectTimeout.toMillis() < 1 || connectTimeout.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("connectTimeout: " + connectTimeout + " (expected: 1 ms to 24 days)");
        }
        if (maxConnections < 1) {
            throw new IllegalArgumentException("maxConnections: " + maxConnections + " (expected: >= 1)");
        }
    }

    /** With a connect time-out of ten seconds and at most 20 000 connections. */
    public RelayConfig(String name, InetSocketAddress listen, String productionHost, int productionPort) {
        this(name, listen, productionHost, productionPort, Duration.ofSeconds(10), 20_000);
    }
}

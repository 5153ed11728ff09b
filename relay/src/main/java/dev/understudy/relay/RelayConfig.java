package dev.understudy.relay;

import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import java.net.InetSocketAddress;

/**
 * One listener and the production that it relays to.
 *
 * @param name names the listener in metrics, messages and reports
 * @param listen where to accept; port 0 takes a free one
 * @param production where production is
 * @param maxConnections connections relayed at a time, at least 1; more wait unaccepted in the kernel's queue
 */
public record RelayConfig(String name, InetSocketAddress listen, ProductionConfig production, int maxConnections) {
    /** Connections relayed at a time unless told otherwise. */
    public static final int MAX_CONNECTIONS = 20_000;

    public RelayConfig {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: blank (expected: a name)");
        }
        if (maxConnections < 1) {
            throw new IllegalArgumentException("maxConnections: " + maxConnections + " (expected: >= 1)");
        }
    }

    /** One TCP address, and the defaults for everything else. */
    public RelayConfig(String name, InetSocketAddress listen, String productionHost, int productionPort) {
        this(name, listen, ProductionConfig.of(new Address.Inet(productionHost, productionPort)), MAX_CONNECTIONS);
    }
}

package dev.understudy.relay;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.starttls.StartTls;
import java.net.InetSocketAddress;

/**
 * One listener and the production that it relays to.
 *
 * @param name names the listener in metrics, messages and reports
 * @param listen where to accept; port 0 takes a free one
 * @param production where production is
 * @param accept which clients are let in
 * @param startTls how TLS begins, where it is set, with clients as with production
 */
public record RelayConfig(
        String name, InetSocketAddress listen, ProductionConfig production, AcceptConfig accept, StartTls startTls) {
    public RelayConfig {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: blank (expected: a name)");
        }
    }

    /** TLS, where it is set, begins with the first byte. */
    public RelayConfig(String name, InetSocketAddress listen, ProductionConfig production, AcceptConfig accept) {
        this(name, listen, production, accept, StartTls.FIRST_BYTE);
    }

    /** One TCP address, and the defaults for everything else. */
    public RelayConfig(String name, InetSocketAddress listen, String productionHost, int productionPort) {
        this(
                name,
                listen,
                ProductionConfig.of(new Address.Inet(productionHost, productionPort)),
                AcceptConfig.defaults());
    }
}

package dev.understudy.relay.connect;

import dev.understudy.relay.tls.OriginateConfig;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a listener finds production.
 *
 * @param addresses in order of preference; none if and only if {@code transparent}
 * @param transparent whether each client is taken to where it wanted to go before it was redirected to the listener
 * @param connectTimeout how long all attempts of one client together may take, 1 ms to 24 days
 * @param dnsTtl how long the answer of a name look-up is used, 1 s to 24 days; an answer is kept beyond that while the
 *     name can't be looked up
 * @param tls how production is spoken to in TLS, or null for plain text
 */
public record ProductionConfig(
        List<Address> addresses,
        boolean transparent,
        Duration connectTimeout,
        Duration dnsTtl,
        HealthConfig health,
        @Nullable OriginateConfig tls) {
    public ProductionConfig {
        addresses = List.copyOf(addresses);
        if (transparent && !addresses.isEmpty()) {
            throw new IllegalArgumentException("production: " + addresses.size()
                    + " addresses (expected: none, as transparent listeners take clients where they wanted to go)");
        }
        if (!transparent && addresses.isEmpty()) {
            throw new IllegalArgumentException("production: none (expected: at least one address)");
        }
        if (connectTimeout.toMillis() < 1 || connectTimeout.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("connect-timeout: " + connectTimeout + " (expected: 1 ms to 24 days)");
        }
        if (dnsTtl.toMillis() < 1000 || dnsTtl.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("dns-ttl: " + dnsTtl + " (expected: 1 s to 24 days)");
        }
    }

    /** One address, ten seconds to connect, names looked up every thirty. */
    public static ProductionConfig of(Address... addresses) {
        return new ProductionConfig(
                List.of(addresses),
                false,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                HealthConfig.defaults(),
                null);
    }

    /** Wherever the client wanted to go. */
    public static ProductionConfig wherever() {
        return new ProductionConfig(
                List.of(), true, Duration.ofSeconds(10), Duration.ofSeconds(30), HealthConfig.defaults(), null);
    }

    /** The same with another time to connect. */
    public ProductionConfig within(Duration timeout) {
        return new ProductionConfig(addresses, transparent, timeout, dnsTtl, health, tls);
    }
}

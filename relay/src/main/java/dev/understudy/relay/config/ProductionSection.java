package dev.understudy.relay.config;

import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.HealthConfig;
import dev.understudy.relay.connect.ProductionConfig;
import java.time.Duration;

/** How both proxies are told where production, or an upstream, is. */
public final class ProductionSection {
    private static final Value<Address> ADDRESS =
            new Value<>("host:port or unix:/path", Address::parse, new Address.Inet("localhost", 1));

    private ProductionSection() {}

    /** Reads the addresses under {@code key}, and beside it what there is to say about reaching them. */
    public static ProductionConfig read(Section section, String key) {
        return section.build(there -> production(there, key), ProductionConfig.of(ADDRESS.placeholder()));
    }

    private static ProductionConfig production(Section section, String key) {
        boolean transparent = section.optional("transparent", Value.flag(), false);
        return new ProductionConfig(
                transparent ? section.listed(key, ADDRESS) : section.list(key, ADDRESS),
                transparent,
                section.optional("connect-timeout", Value.duration(), Duration.ofSeconds(10)),
                section.optional("dns-ttl", Value.duration(), Duration.ofSeconds(30)),
                section.section("health").build(ProductionSection::health, HealthConfig.defaults()),
                section.has("production-tls") ? TlsSection.originate(section.section("production-tls")) : null);
    }

    private static HealthConfig health(Section section) {
        HealthConfig defaults = HealthConfig.defaults();
        return new HealthConfig(
                section.optional("interval", Value.duration(), defaults.interval()),
                section.optional("timeout", Value.duration(), defaults.timeout()),
                section.optional("rise", Value.integer(1, 1000), defaults.rise()),
                section.optional("fall", Value.integer(1, 1000), defaults.fall()));
    }
}

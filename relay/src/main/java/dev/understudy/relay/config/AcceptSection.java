package dev.understudy.relay.config;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.accept.ProxyProtocolConfig;
import dev.understudy.relay.accept.Subnet;
import java.net.InetAddress;

/** How both proxies are told which clients a listener lets in. */
public final class AcceptSection {
    private static final Value<Subnet> SUBNET = new Value<>(
            "an address, or a range such as 10.0.0.0/8",
            Subnet::parse,
            new Subnet(InetAddress.getLoopbackAddress(), Byte.SIZE));

    private AcceptSection() {}

    /** Reads what {@code section}, a listener's, says about accepting. */
    public static AcceptConfig read(Section section) {
        AcceptConfig defaults = AcceptConfig.defaults();
        return new AcceptConfig(
                section.optional("max-connections", Value.integer(1, AcceptConfig.MOST), defaults.maxConnections()),
                section.optional("max-accept-rate", Value.integer(0, AcceptConfig.MOST), defaults.maxRate()),
                section.section("proxy-protocol").build(AcceptSection::proxy, ProxyProtocolConfig.OFF),
                section.has("tls") ? TlsSection.terminate(section.section("tls")) : null);
    }

    private static ProxyProtocolConfig proxy(Section section) {
        ProxyProtocolConfig off = ProxyProtocolConfig.OFF;
        return new ProxyProtocolConfig(
                section.optional("mode", Value.choice(ProxyProtocolConfig.Mode.class), off.mode()),
                section.optional("version", Value.choice(ProxyProtocolConfig.Version.class), off.version()),
                section.listed("trusted", SUBNET),
                section.optional("header-timeout", Value.duration(), off.timeout()));
    }
}

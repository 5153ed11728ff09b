package dev.understudy.sidecar.config;

import dev.understudy.divergence.wire.Protocol;
import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.config.AcceptSection;
import dev.understudy.relay.config.ProductionSection;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One listener.
 *
 * @param debug none if it only relays
 * @param production its connect time-out is debug's, too
 * @param recorded whether it is recorded from the start
 * @param behind whose clients it gets, instead of those of {@code listen}; null for those
 */
public record ListenerConfig(
        String name,
        InetSocketAddress listen,
        ProductionConfig production,
        List<DebugTarget> debug,
        Framing protocol,
        Order order,
        AcceptConfig accept,
        TeeConfig tee,
        boolean recorded,
        @Nullable Behind behind) {
    private static final InetSocketAddress NOWHERE = InetSocketAddress.createUnresolved("127.0.0.1", 0);

    public ListenerConfig {
        listen = new InetSocketAddress(listen.getHostString(), listen.getPort());
        if (listen.isUnresolved()) {
            throw new IllegalArgumentException("listen: " + listen.getHostString() + " (expected: a known host)");
        }
        debug = List.copyOf(debug);
        InetSocketAddress here = listen;
        if (isProduction(listen, production) || debug.stream().anyMatch(target -> same(here, target.address()))) {
            throw new IllegalArgumentException("listen: " + listen.getHostString() + ":" + listen.getPort()
                    + " (expected: neither production's address nor debug's)");
        }
        for (DebugTarget target : debug) {
            if (isProduction(target.address(), production)) {
                throw new IllegalArgumentException("debug: "
                        + target.address().getHostString() + ":"
                        + target.address().getPort()
                        + " (expected: not production's address)");
            }
        }
    }

    /** One that isn't recorded from the start. */
    public ListenerConfig(
            String name,
            InetSocketAddress listen,
            ProductionConfig production,
            List<DebugTarget> debug,
            Framing protocol,
            Order order,
            AcceptConfig accept,
            TeeConfig tee) {
        this(name, listen, production, debug, protocol, order, accept, tee, false, null);
    }

    /** The same behind {@code front}, which accepts its clients and ends their TLS. */
    ListenerConfig acceptedBy(ListenerConfig front) {
        AcceptConfig all = front.accept();
        AcceptConfig plain = new AcceptConfig(all.maxConnections(), all.maxRate(), all.proxy());
        return new ListenerConfig(name, listen, production, debug, protocol, order, plain, tee, recorded, behind);
    }

    /** How long production, or debug, may take to accept. */
    public Duration connectTimeout() {
        return production.connectTimeout();
    }

    private static boolean isProduction(InetSocketAddress address, ProductionConfig production) {
        return address.getPort() != 0
                && production.addresses().contains(new Address.Inet(address.getHostString(), address.getPort()));
    }

    private static boolean same(InetSocketAddress a, InetSocketAddress b) {
        return a.getPort() != 0
                && a.getPort() == b.getPort()
                && a.getHostString().equals(b.getHostString());
    }

    /** In which order requests reach the debug JVM. */
    public enum Order {
        /** Production's happens-before across all connections. */
        CAUSAL,
        /** Each connection for itself. */
        CONNECTION
    }

    /** How a listener's bytes are framed. */
    public enum Framing {
        HTTP(Protocol.HTTP),
        REDIS(Protocol.REDIS),
        POSTGRES(Protocol.POSTGRES),
        TCP(Protocol.TCP);

        private final Protocol protocol;

        Framing(Protocol protocol) {
            this.protocol = protocol;
        }

        /** What is spoken on its connections. */
        public Protocol protocol() {
            return protocol;
        }
    }

    private enum OnOff {
        ON,
        OFF
    }

    static ListenerConfig read(Section section) {
        Framing protocol = section.optional("protocol", Value.choice(Framing.class), Framing.HTTP);
        Behind behind = Behind.read(section);
        ProductionConfig production = ProductionSection.read(section, "production");
        if (behind != null && production.transparent()) {
            section.problem("transparent: true (expected: false, as it is behind " + behind.listener() + ")");
        }
        return new ListenerConfig(
                section.required("name", Value.text()),
                behind == null ? section.required("listen", Value.address()) : NOWHERE,
                production,
                DebugTarget.read(section),
                protocol,
                section.optional("order", Value.choice(Order.class), Order.CAUSAL),
                behind == null ? AcceptSection.read(section) : AcceptConfig.defaults(),
                TeeConfig.read(section, protocol),
                section.optional("record", Value.choice(OnOff.class), OnOff.OFF) == OnOff.ON,
                behind);
    }
}

package dev.understudy.aggregator.config;

import dev.understudy.aggregator.policy.CallPolicy;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks what an upstream's settings say of running servers that may answer its misses, and reads {@code standin}. */
final class LiveSection {
    private static final Value<Address> STANDIN =
            new Value<>("host:port of a stand-in", LiveSection::host, new Address.Inet("localhost", 1));

    private LiveSection() {}

    /** @param isRecorded whether production's connections are relayed */
    static void checkLive(
            Section section,
            UpstreamConfig.Protocol protocol,
            CallPolicy policy,
            ProductionConfig upstream,
            boolean isRecorded) {
        if (!policy.isLive()) {
            return;
        }
        switch (protocol) {
            case HTTP, REDIS -> {
                if (upstream.transparent()) {
                    section.problem("miss: live (expected: another one, as a transparent upstream has no address)");
                }
            }
            case MYSQL, POSTGRES ->
                section.problem("miss: live (expected: another one, as a statement that reads can call what writes)");
            case TCP -> section.problem("miss: live (expected: fail, as nobody knows what a read is over tcp)");
        }
        if (!isRecorded) {
            section.problem("miss: live (expected: another one, as production.listen is none)");
        }
    }

    /** The stand-in's address; null if none is asked. */
    static @Nullable Address standin(
            Section section, UpstreamConfig.Protocol protocol, CallPolicy policy, ProductionConfig upstream) {
        if (!policy.asksStandin()) {
            if (section.has("standin")) {
                section.problem("standin: set (expected: none, unless miss is standin)");
            }
            return null;
        }
        switch (protocol) {
            case HTTP -> {
                if (upstream.transparent()) {
                    section.problem("miss: standin (expected: another one, as the addresses of a transparent upstream,"
                            + " from which a stand-in's must differ, aren't known)");
                }
            }
            case MYSQL, POSTGRES, REDIS, TCP ->
                section.problem("miss: standin (expected: another one, as stand-ins are for http)");
        }
        return section.required("standin", STANDIN);
    }

    private static Address host(String raw) {
        Address address = Address.parse(raw);
        if (address instanceof Address.Unix) {
            throw new IllegalArgumentException(raw);
        }
        return address;
    }

    /** A stand-in is neither an upstream nor a port here, which leads to one: no name is looked up for that. */
    static void checkStandins(List<Section> sections, List<UpstreamConfig> upstreams) {
        for (int i = 0; i < upstreams.size(); i++) {
            if (upstreams.get(i).standin() instanceof Address.Inet standin) {
                for (UpstreamConfig each : upstreams) {
                    checkStandin(sections.get(i), standin, each);
                }
            }
        }
    }

    private static void checkStandin(Section section, Address.Inet standin, UpstreamConfig upstream) {
        for (Address real : upstream.upstream().addresses()) {
            if (real instanceof Address.Inet inet && isSame(standin, inet.host(), inet.port())) {
                section.problem("standin: %s (expected: the address of a stand-in, not of the upstream %s)"
                        .formatted(standin.spelled(), upstream.name()));
            }
        }
        for (InetSocketAddress port : upstream.ports()) {
            if (isSame(standin, port.getHostString(), port.getPort())) {
                section.problem("standin: %s (expected: the address of a stand-in, not a port here of %s)"
                        .formatted(standin.spelled(), upstream.name()));
            }
        }
    }

    private static boolean isSame(Address.Inet standin, String host, int port) {
        return standin.port() == port
                && (named(standin.host()).equals(named(host)) || (isLocal(standin.host()) && isLocal(host)));
    }

    /** A name in one spelling, or an address in digits. */
    private static String named(String host) {
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(host);
        String name = host.toLowerCase(Locale.ROOT);
        return address != null
                ? address.getHostAddress()
                : name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    private static boolean isLocal(String host) {
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(host);
        return address == null
                ? named(host).equals("localhost")
                : address.isLoopbackAddress() || address.isAnyLocalAddress();
    }
}

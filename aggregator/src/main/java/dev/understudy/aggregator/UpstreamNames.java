package dev.understudy.aggregator;

import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.aggregator.config.UpstreamConfig;
import dev.understudy.aggregator.tls.DebugTls;
import dev.understudy.relay.connect.Address;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The names by which debug clients may know the debug ports: those that are set, those that are listened on, and those
 * of the upstreams, as a debug JVM whose names are looked up here in the upstreams' place goes on using them.
 */
final class UpstreamNames {
    private UpstreamNames() {}

    static List<String> of(AggregatorConfig config) {
        List<String> names = new ArrayList<>(config.debugTls().names());
        for (UpstreamConfig upstream : config.upstreams()) {
            add(names, upstream.debugListen());
            for (Address address : upstream.upstream().addresses()) {
                if (address instanceof Address.Inet inet) {
                    add(names, inet.host());
                }
            }
        }
        return names;
    }

    private static void add(List<String> names, InetSocketAddress listened) {
        if (!listened.isUnresolved() && !listened.getAddress().isAnyLocalAddress()) {
            add(names, listened.getHostString());
        }
    }

    private static void add(List<String> names, String name) {
        if (DebugTls.fits(name)) {
            names.add(name);
        }
    }
}

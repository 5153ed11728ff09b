package dev.understudy.aggregator;

import dev.understudy.relay.connect.Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Where real upstreams are, and the ports of this process that lead to them: what is meant for a stand-in keeps away
 * from there. Names are looked up once. Safe for all threads.
 */
final class RealAddresses {
    private final Set<InetSocketAddress> upstreams;
    private final List<InetSocketAddress> ports = new CopyOnWriteArrayList<>();

    private RealAddresses(Set<InetSocketAddress> upstreams) {
        this.upstreams = Set.copyOf(upstreams);
    }

    /** Those of all upstreams, if any of them has a stand-in; else nobody asks, and nothing is looked up. */
    static RealAddresses of(List<UpstreamConfig> upstreams) {
        Set<InetSocketAddress> known = new HashSet<>();
        if (upstreams.stream().anyMatch(upstream -> upstream.standin() != null)) {
            for (UpstreamConfig upstream : upstreams) {
                upstream.upstream().addresses().forEach(address -> addAll(known, address));
            }
        }
        return new RealAddresses(known);
    }

    /** A name that nobody knows leads nowhere. */
    private static void addAll(Set<InetSocketAddress> known, Address address) {
        if (!(address instanceof Address.Inet inet)) {
            return;
        }
        try {
            for (InetAddress each : InetAddress.getAllByName(inet.host())) {
                known.add(new InetSocketAddress(each, inet.port()));
            }
        } catch (UnknownHostException unknown) {
            // nothing to keep away from
        }
    }

    /** A port has been opened whose clients are taken to a real upstream. */
    void leads(InetSocketAddress port) {
        ports.add(port);
    }

    /** Whether what is said to this peer reaches a real upstream. */
    boolean contains(@Nullable SocketAddress peer) {
        return peer instanceof InetSocketAddress inet
                && (upstreams.contains(inet) || ports.stream().anyMatch(port -> isAt(port, inet)));
    }

    private static boolean isAt(InetSocketAddress port, InetSocketAddress peer) {
        if (port.getPort() != peer.getPort()) {
            return false;
        }
        return port.getAddress().isAnyLocalAddress()
                ? isLocal(peer.getAddress())
                : port.getAddress().equals(peer.getAddress());
    }

    private static boolean isLocal(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException unknown) {
            return true; // better no reply than one from there
        }
    }
}

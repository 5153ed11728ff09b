package dev.understudy.aggregator;

import dev.understudy.aggregator.config.UpstreamConfig;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.Names;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where real upstreams are, and the ports of this process that lead to them: what is meant for a stand-in keeps away
 * from there. Names are looked up once, beside the start; until all answered, everything is kept away from. Safe for
 * all threads.
 */
final class RealAddresses {
    private final Set<InetSocketAddress> upstreams = ConcurrentHashMap.newKeySet();
    private final List<InetSocketAddress> ports = new CopyOnWriteArrayList<>();
    private final AtomicInteger pending = new AtomicInteger();

    private RealAddresses() {}

    /** Those of all upstreams, if any of them has a stand-in; else nobody asks, and nothing is looked up. */
    static RealAddresses of(List<UpstreamConfig> upstreams, Names names) {
        RealAddresses real = new RealAddresses();
        if (upstreams.stream().anyMatch(upstream -> upstream.standin() != null)) {
            upstreams.stream()
                    .flatMap(upstream -> upstream.upstream().addresses().stream())
                    .forEach(address -> real.add(address, names));
        }
        return real;
    }

    /** A name that nobody knows leads nowhere. */
    private void add(Address address, Names names) {
        if (address instanceof Address.Inet inet) {
            pending.incrementAndGet();
            CompletableFuture<Void> known = names.addresses(inet.host())
                    .thenAccept(all -> all.forEach(each -> upstreams.add(new InetSocketAddress(each, inet.port()))));
            known.whenComplete((done, unknown) -> pending.decrementAndGet());
        }
    }

    /** A port has been opened whose clients are taken to a real upstream. */
    void leads(InetSocketAddress port) {
        ports.add(port);
    }

    /** Whether what is said to this peer reaches a real upstream. */
    boolean contains(@Nullable SocketAddress peer) {
        return peer instanceof InetSocketAddress inet
                && (pending.get() > 0
                        || upstreams.contains(inet)
                        || ports.stream().anyMatch(port -> isAt(port, inet)));
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

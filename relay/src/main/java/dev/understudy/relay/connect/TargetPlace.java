package dev.understudy.relay.connect;

import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One address of production as it was set, and the targets that it stands for: as many as its name has addresses.
 *
 * <p>Thread-safe. A target keeps its health as long as the name keeps its address; the answer of a look-up is kept when
 * the next look-up fails.
 */
final class TargetPlace {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Address address;
    private final HealthConfig health;
    private final Names names;
    private final boolean named;
    private final AtomicReference<@Nullable CompletableFuture<Void>> asking = new AtomicReference<>();

    private volatile List<Target> targets = List.of();
    private volatile long askedNanos;
    private volatile boolean asked;

    TargetPlace(Address address, HealthConfig health, Names names) {
        this.address = address;
        this.health = health;
        this.names = names;
        if (address instanceof Address.Unix unix) {
            named = false;
            targets = List.of(target(new DomainSocketAddress(unix.path())));
        } else {
            Address.Inet inet = (Address.Inet) address;
            InetAddress digits = NetUtil.createInetAddressFromIpAddressString(inet.host());
            named = digits == null;
            if (digits != null) {
                targets = List.of(target(new InetSocketAddress(digits, inet.port())));
            }
        }
    }

    private Target target(SocketAddress socket) {
        return new Target(address.spelled(), socket, health);
    }

    Address address() {
        return address;
    }

    /** In the order of the last answer; empty until there was one. */
    List<Target> targets() {
        return targets;
    }

    /** Whether it is a name, which has to be looked up. */
    boolean named() {
        return named;
    }

    boolean olderThan(long nanos, long now) {
        return named && (!asked || now - askedNanos >= nanos);
    }

    /** Looks the name up unless that was done in the last second; many may ask, one look-up runs. */
    CompletableFuture<Void> lookUp(long now) {
        if (!olderThan(PAUSE_NANOS, now)) {
            CompletableFuture<Void> running = asking.get();
            return running == null ? CompletableFuture.completedFuture(null) : running;
        }
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> running = asking.compareAndExchange(null, mine);
        if (running != null) {
            return running;
        }
        Address.Inet inet = (Address.Inet) address;
        names.addresses(inet.host()).whenComplete((answer, failure) -> {
            if (failure == null) {
                adopt(answer, inet.port());
            }
            askedNanos = now;
            asked = true;
            asking.set(null);
            mine.complete(null);
        });
        return mine;
    }

    private void adopt(List<InetAddress> answer, int port) {
        Map<SocketAddress, Target> known = new HashMap<>();
        targets.forEach(target -> known.put(target.address(), target));
        Map<SocketAddress, Target> adopted = new LinkedHashMap<>();
        for (InetAddress each : answer) {
            InetSocketAddress socket = new InetSocketAddress(each, port);
            Target before = known.get(socket);
            adopted.put(socket, before == null ? target(socket) : before);
        }
        targets = List.copyOf(adopted.values());
    }
}

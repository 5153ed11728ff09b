package dev.understudy.sidecar.handshake;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects to the debug JVMs, says nothing, and closes again after three seconds. Safe for any threads; nobody waits.
 *
 * <p>Each connection has an address and a port that were bound for it, which the kernel gives to no other connection
 * meanwhile, whatever its target is: an agent that finds it among its own can't mistake one of the relay's for it.
 */
public final class DebugDials {
    private static final Duration HELD = Duration.ofSeconds(3);
    private static final int MOST_HELD = 64;
    private static final Logger LOG = LoggerFactory.getLogger(DebugDials.class);

    private final Set<InetSocketAddress> debug;
    private final Set<InetSocketAddress> production;
    private final Executor closing;
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile Set<InetSocketAddress> found = Set.of();

    /** Both as they were set; whatever is production's by its address as well isn't taken for a debug JVM's. */
    public DebugDials(Set<InetSocketAddress> debug, Set<InetSocketAddress> production) {
        this(debug, production, HELD);
    }

    DebugDials(Set<InetSocketAddress> debug, Set<InetSocketAddress> production, Duration held) {
        this.debug = Set.copyOf(debug);
        this.production = Set.copyOf(production);
        this.closing = CompletableFuture.delayedExecutor(held.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Connects to each whose name was looked up by now, as long as no more than {@value #MOST_HELD} connections are
     * held, and says from where: the address in hexadecimal digits, a colon, the port. Names are looked up for the next
     * time.
     */
    List<String> connect() {
        List<String> from = new ArrayList<>();
        for (InetSocketAddress address : found) {
            if (held.incrementAndGet() > MOST_HELD) {
                held.decrementAndGet();
                LOG.debug("no handshake with {}: {} are under way", address, MOST_HELD);
                break;
            }
            try {
                from.add(connected(address));
            } catch (IOException unreachable) {
                LOG.debug("no handshake with {}: {}", address, unreachable.toString());
            }
        }
        lookUp();
        return from;
    }

    /**
     * Bound to an address before it connects: its own isn't known otherwise until it is connected, for which nobody
     * waits.
     */
    private String connected(InetSocketAddress address) throws IOException {
        SocketChannel channel;
        try {
            channel = SocketChannel.open();
        } catch (IOException noneLeft) {
            held.decrementAndGet();
            throw noneLeft;
        }
        closing.execute(() -> close(channel));
        channel.configureBlocking(false);
        channel.bind(new InetSocketAddress(own(address), 0));
        InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
        channel.connect(address);
        return HexFormat.of().formatHex(local.getAddress().getAddress()) + ":" + local.getPort();
    }

    /**
     * From which of its addresses this machine reaches that one: a datagram's socket knows, and connecting it sends
     * nothing.
     */
    private static InetAddress own(InetSocketAddress address) throws IOException {
        try (DatagramChannel way = DatagramChannel.open()) {
            way.connect(address);
            return ((InetSocketAddress) way.getLocalAddress()).getAddress();
        }
    }

    private void close(SocketChannel channel) {
        held.decrementAndGet();
        try {
            channel.close();
        } catch (IOException closed) {
            LOG.debug("a handshake's connection ended with {}", closed.toString());
        }
    }

    /** On a thread of its own, since it may take long; not twice at a time. */
    void lookUp() {
        if (looking.compareAndSet(false, true)) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            look();
                        } finally {
                            looking.set(false);
                        }
                    },
                    "understudy-handshake");
            thread.setDaemon(true);
            thread.start();
        }
    }

    void look() {
        found = looked();
    }

    /** None at all if production's addresses aren't known: one of them might be a debug JVM's, too. */
    private Set<InetSocketAddress> looked() {
        Set<InetSocketAddress> known = new HashSet<>();
        for (InetSocketAddress address : debug) {
            InetSocketAddress resolved = new InetSocketAddress(address.getHostString(), address.getPort());
            if (!resolved.isUnresolved()) {
                known.add(resolved);
            }
        }
        for (InetSocketAddress address : production) {
            try {
                for (InetAddress one : InetAddress.getAllByName(address.getHostString())) {
                    known.remove(new InetSocketAddress(one, address.getPort()));
                }
            } catch (UnknownHostException unknown) {
                if (!told.getAndSet(true)) {
                    LOG.warn(
                            "no JVM is shown to be a debug one, as long as {} can't be looked up",
                            address.getHostString());
                }
                return Set.of();
            }
        }
        return Set.copyOf(known);
    }
}

package dev.understudy.relay;

import dev.understudy.relay.accept.AcceptHandler;
import dev.understudy.relay.accept.ProxyHeader;
import dev.understudy.relay.accept.ProxyHeaderHandler;
import dev.understudy.relay.accept.ProxyProtocolConfig;
import dev.understudy.relay.connect.Dial;
import dev.understudy.relay.connect.OriginalDestination;
import dev.understudy.relay.connect.Targets;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The stages of a relayed connection: what a socket reads is tapped, and forwarded to the other socket.
 *
 * <p>Shared by a listener's connections. {@link #initChannel} runs on the event loop of the accepted client, which
 * production's socket joins.
 */
final class RelayInitializer extends ChannelInitializer<SocketChannel> {
    /** The most bytes read from a socket at once. */
    static final int LARGEST_READ = 256 * 1024;

    /** The most clients of a listener whose PROXY header may be awaited at a time. */
    static final int MOST_WAITING = 1024;

    private static final int FIRST_READ = 2048;
    private static final byte[] NOTHING = {};

    private final Targets targets;
    private final Duration connectTimeout;
    private final boolean transparent;
    private final Set<SocketAddress> outgoing;
    private final ProxyProtocolConfig proxy;
    private final TapFactory taps;
    private final EventLoops loops;
    private final RelayMetrics metrics;
    private final LongSupplier nanoClock = System::nanoTime;
    private final Set<Relay> relays = ConcurrentHashMap.newKeySet();
    private final Set<SocketChannel> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    RelayInitializer(RelayConfig config, Targets targets, TapFactory taps, EventLoops loops, RelayMetrics metrics) {
        this.targets = targets;
        this.connectTimeout = config.production().connectTimeout();
        this.transparent = config.production().transparent();
        this.outgoing = loops.outgoing();
        this.proxy = config.accept().proxy();
        this.taps = taps;
        this.loops = loops;
        this.metrics = metrics;
    }

    @Override
    protected void initChannel(SocketChannel client) {
        demandReads(client);
        metrics.accepted();
        if (proxy.wanted()) {
            awaitHeader(client);
        } else {
            relay(client, ProxyHeader.UNKNOWN);
        }
    }

    private void awaitHeader(SocketChannel client) {
        if (!proxy.trusts(client.remoteAddress())) {
            refuse(client, CloseReason.HEADER_UNTRUSTED);
        } else if (waiting.size() >= MOST_WAITING) {
            refuse(client, CloseReason.HEADER_LATE);
        } else {
            waiting.add(client);
            client.pipeline().addLast(new ProxyHeaderHandler(proxy.timeout().toMillis(), new HeaderOutcome(client)));
        }
    }

    private void refuse(SocketChannel client, CloseReason reason) {
        Relay.discard(client);
        metrics.ended(reason);
    }

    /** Relays {@code client}, of whom {@code told} tells more than its socket does. */
    private void relay(SocketChannel client, ProxyHeader told) {
        InetSocketAddress wanted = transparent ? OriginalDestination.of(client) : null;
        if (transparent && wanted == null) {
            refuse(client, CloseReason.NO_DESTINATION);
        } else if (transparent && (client.localAddress().equals(wanted) || outgoing.contains(client.remoteAddress()))) {
            refuse(client, CloseReason.LOOP);
        } else {
            relay(client, told, wanted);
        }
    }

    private void relay(SocketChannel client, ProxyHeader told, @Nullable InetSocketAddress wanted) {
        InetSocketAddress source = told.source();
        Connection connection = new Connection(
                loops.nextConnection(),
                source == null ? client.remoteAddress() : source,
                client.localAddress(),
                nanoClock.getAsLong(),
                preface(client, told, wanted));
        TapGuard tap = TapGuard.open(taps, connection, metrics);
        Relay relay = new Relay(connection, client, tap, nanoClock, this::ended);
        relays.add(relay);
        client.pipeline()
                .addLast(
                        new TapHandler(Direction.REQUEST, tap, metrics, nanoClock),
                        new ForwardHandler(relay, relay.client(), relay.production()));
        connect(client, relay, tap, wanted);
    }

    private byte[] preface(SocketChannel client, ProxyHeader told, @Nullable InetSocketAddress wanted) {
        if (!proxy.sent()) {
            return NOTHING;
        }
        InetSocketAddress local = wanted == null ? client.localAddress() : wanted;
        ProxyHeader header = proxy.wanted() ? told : ProxyHeader.of(client.remoteAddress(), local);
        return header.encode(proxy.version());
    }

    private void connect(SocketChannel client, Relay relay, TapGuard tap, @Nullable InetSocketAddress wanted) {
        Dial.Caller caller = (address, timeoutMillis) -> loops.towardsProduction(relay.loop(), address)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMillis)
                .handler(new ChannelInitializer<DuplexChannel>() {
                    @Override
                    protected void initChannel(DuplexChannel production) {
                        demandReads(production);
                        if (transparent) {
                            production.pipeline().addLast(new Remembered(outgoing));
                        }
                        production.pipeline().addLast(new TapHandler(Direction.REPLY, tap, metrics, nanoClock));
                    }
                })
                .connect(address);
        Dial.Outcome outcome = new Dial.Outcome() {
            @Override
            public void connected(DuplexChannel production) {
                production.pipeline().addLast(new ForwardHandler(relay, relay.production(), relay.client()));
                relay.connected(production);
            }

            @Override
            public void failed(Throwable cause) {
                if (cause instanceof ChannelException) {
                    AcceptHandler.outOfSockets(client.parent(), cause);
                }
                relay.notConnected(reasonOf(cause));
            }
        };
        if (wanted == null) {
            Dial.start(targets, relay.loop(), caller, connectTimeout, outcome);
        } else {
            Dial.start(wanted, relay.loop(), caller, connectTimeout, outcome);
        }
    }

    private static CloseReason reasonOf(Throwable cause) {
        if (cause instanceof ChannelException) {
            return CloseReason.NO_SOCKET;
        }
        return cause instanceof ConnectTimeoutException ? CloseReason.CONNECT_TIMED_OUT : CloseReason.CONNECT_FAILED;
    }

    /**
     * Reads happen when the peer can take them, and in pieces that fit what comes. A failed write closes the output only,
     * so that what the other end had sent before it went away is still read.
     */
    private static void demandReads(DuplexChannel channel) {
        channel.config().setOption(ChannelOption.AUTO_READ, false);
        channel.config().setOption(ChannelOption.AUTO_CLOSE, false);
        channel.config()
                .setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator(FIRST_READ, FIRST_READ, LARGEST_READ));
    }

    private void ended(Relay relay, CloseReason reason) {
        relays.remove(relay);
        metrics.ended(reason);
    }

    /** Resets all connections, on their loops. */
    void abort() {
        stopping = true;
        for (Relay relay : relays) {
            relay.loop().execute(() -> relay.abort(CloseReason.SHUTDOWN));
        }
        for (SocketChannel client : waiting) {
            client.eventLoop().execute(() -> Relay.discard(client));
        }
    }

    /** Keeps a socket's local address while it is open, from its connect on: the SYN may come back to us. */
    private static final class Remembered extends ChannelOutboundHandlerAdapter {
        private final Set<SocketAddress> addresses;

        Remembered(Set<SocketAddress> addresses) {
            this.addresses = addresses;
        }

        @Override
        public void connect(
                ChannelHandlerContext ctx, SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            ctx.connect(remote, local, promise);
            SocketAddress own = ctx.channel().localAddress();
            if (own != null && addresses.add(own)) {
                ctx.channel().closeFuture().addListener(closed -> addresses.remove(own));
            }
        }
    }

    /** What becomes of a client whose PROXY header is awaited. */
    private final class HeaderOutcome implements ProxyHeaderHandler.Outcome {
        private final SocketChannel client;

        HeaderOutcome(SocketChannel client) {
            this.client = client;
        }

        @Override
        public void header(ProxyHeader header) {
            waiting.remove(client);
            relay(client, header);
        }

        @Override
        public void failed(ProxyHeaderHandler.Failure failure) {
            waiting.remove(client);
            if (failure == ProxyHeaderHandler.Failure.LEFT) {
                client.close();
                metrics.ended(CloseReason.FINISHED);
            } else {
                refuse(client, stopping ? CloseReason.SHUTDOWN : reason(failure));
            }
        }

        private CloseReason reason(ProxyHeaderHandler.Failure failure) {
            return switch (failure) {
                case MALFORMED -> CloseReason.HEADER_MALFORMED;
                case LATE -> CloseReason.HEADER_LATE;
                case LEFT -> CloseReason.FINISHED;
                case RESET -> CloseReason.RESET_BY_CLIENT;
            };
        }
    }
}

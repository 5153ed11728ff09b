package dev.understudy.relay;

import dev.understudy.relay.accept.AcceptHandler;
import dev.understudy.relay.accept.ProxyHeader;
import dev.understudy.relay.accept.ProxyProtocolConfig;
import dev.understudy.relay.connect.Dial;
import dev.understudy.relay.connect.OriginalDestination;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.connect.Targets;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.starttls.MySqlClientTls;
import dev.understudy.relay.starttls.StartTls;
import dev.understudy.relay.starttls.TlsStages;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapCarrier;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tls.ClientTls;
import dev.understudy.relay.tls.ServerNames;
import dev.understudy.relay.tls.ServerTls;
import dev.understudy.relay.tls.TlsSide;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.util.Map;
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
    private static final int FIRST_READ = 2048;

    private static final byte[] NOTHING = {};

    private final Greeter greeter;
    private final Targets targets;
    private final ProductionConfig production;
    private final @Nullable TlsSide clientTls;
    private final @Nullable ClientTls productionTls;
    private final StartTls startTls;
    private final ProxyProtocolConfig proxy;
    private final TapCarrier carrier;
    private final EventLoops loops;
    private final RelayMetrics metrics;
    private final LongSupplier nanoClock = System::nanoTime;
    private final Set<Relay> relays = ConcurrentHashMap.newKeySet();

    /** Other listeners' stages, by the names that clients ask for. */
    private final Map<String, RelayInitializer> others = new ConcurrentHashMap<>();

    RelayInitializer(
            RelayConfig config,
            Targets targets,
            @Nullable TlsSide clientTls,
            @Nullable ClientTls productionTls,
            TapCarrier carrier,
            EventLoops loops,
            RelayMetrics metrics) {
        this.startTls = config.startTls();
        this.greeter = new Greeter(
                config.accept().proxy(),
                startTls == StartTls.MYSQL ? null : clientTls,
                startTls == StartTls.POSTGRES && (clientTls != null || productionTls != null),
                metrics,
                this::greeted);
        this.targets = targets;
        this.production = config.production();
        this.clientTls = clientTls;
        this.productionTls = productionTls;
        this.proxy = config.accept().proxy();
        this.carrier = carrier;
        this.loops = loops;
        this.metrics = metrics;
    }

    @Override
    protected void initChannel(SocketChannel client) {
        demandReads(client);
        metrics.accepted();
        greeter.greet(client);
    }

    /** Has clients that ask for one of {@code names} in their TLS handshake relayed by another listener. */
    void passOn(ServerNames names, RelayInitializer other) {
        names.names().forEach(name -> others.put(name, other));
    }

    /** The stages that are meant by what a client asked for. */
    private RelayInitializer meantBy(SocketChannel client) {
        String requested = others.isEmpty() ? null : ServerTls.requested(client);
        if (requested == null) {
            return this;
        }
        RelayInitializer some = others.getOrDefault(ServerNames.withAnyLabel(requested), this);
        return others.getOrDefault(ServerNames.exactly(requested), some);
    }

    private void greeted(SocketChannel client, ProxyHeader told) {
        RelayInitializer meant = meantBy(client);
        if (meant != this) {
            meant.metrics.accepted();
            metrics.passedOn();
        }
        meant.relay(client, told);
    }

    /** Relays {@code client}, of whom {@code told} tells more than its socket does. */
    private void relay(SocketChannel client, ProxyHeader told) {
        boolean transparent = production.transparent();
        InetSocketAddress wanted = transparent ? OriginalDestination.of(client) : null;
        if (transparent && wanted == null) {
            greeter.refuse(client, CloseReason.NO_DESTINATION);
        } else if (transparent
                && (client.localAddress().equals(wanted) || loops.outgoing().contains(client.remoteAddress()))) {
            greeter.refuse(client, CloseReason.LOOP);
        } else {
            relay(client, told, wanted);
        }
    }

    private void relay(SocketChannel client, ProxyHeader told, @Nullable InetSocketAddress wanted) {
        InetSocketAddress source = told.source();
        TapConnection connection = new TapConnection(
                loops.nextConnection(),
                source == null ? client.remoteAddress() : source,
                client.localAddress(),
                nanoClock.getAsLong(),
                preface(client, told, wanted),
                ServerTls.agreed(client));
        TapGuard tap = new TapGuard(carrier.openOrNone(connection, metrics.tapFailures()), nanoClock);
        Relay relay = new Relay(connection, client, tap, nanoClock, this::ended);
        relays.add(relay);
        TlsSide asked = startTls == StartTls.MYSQL ? clientTls : null;
        if (asked != null) {
            client.pipeline()
                    .addLast(new MySqlClientTls(
                            new TlsStages(() -> asked.handler(client.alloc()), Greeter.HANDSHAKE_MILLIS, true)));
        }
        client.pipeline()
                .addLast(
                        new TapHandler(Direction.REQUEST, tap, metrics),
                        new ForwardHandler(relay, relay.client(), relay.production()));
        ProductionCaller caller = new ProductionCaller(
                loops,
                relay.loop(),
                productionTls,
                startTls,
                connection.agreed(),
                connection.preface(),
                production.transparent(),
                () -> new TapHandler(Direction.REPLY, tap, metrics));
        connect(client, relay, caller, wanted);
    }

    private byte[] preface(SocketChannel client, ProxyHeader told, @Nullable InetSocketAddress wanted) {
        if (!proxy.sent()) {
            return NOTHING;
        }
        InetSocketAddress local = wanted == null ? client.localAddress() : wanted;
        ProxyHeader header = proxy.wanted() ? told : ProxyHeader.of(client.remoteAddress(), local);
        return header.encode(proxy.version());
    }

    private void connect(SocketChannel client, Relay relay, Dial.Caller caller, @Nullable InetSocketAddress wanted) {
        Dial.Outcome outcome = new Dial.Outcome() {
            @Override
            public void connected(DuplexChannel accepted) {
                accepted.pipeline().addLast(new ForwardHandler(relay, relay.production(), relay.client()));
                relay.connected(accepted);
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
            Dial.start(targets, relay.loop(), caller, production.connectTimeout(), outcome);
        } else {
            Dial.start(wanted, relay.loop(), caller, production.connectTimeout(), outcome);
        }
    }

    private static CloseReason reasonOf(Throwable cause) {
        if (cause instanceof ChannelException) {
            return CloseReason.NO_SOCKET;
        }
        return cause instanceof ConnectTimeoutException ? CloseReason.CONNECT_TIMED_OUT : CloseReason.CONNECT_FAILED;
    }

    /**
     * Reads happen when the peer can take them, and in pieces that fit what comes. A failed write closes the output
     * only, so that what the other end had sent before it went away is still read.
     */
    static void demandReads(DuplexChannel channel) {
        channel.config().setOption(ChannelOption.AUTO_READ, false);
        channel.config().setOption(ChannelOption.AUTO_CLOSE, false);
        channel.config()
                .setRecvByteBufAllocator(
                        new AdaptiveRecvByteBufAllocator(FIRST_READ, FIRST_READ, EventLoops.LARGEST_READ));
    }

    private void ended(Relay relay, CloseReason reason) {
        relays.remove(relay);
        metrics.ended(reason);
    }

    /** Resets all connections, on their loops. */
    void abort() {
        for (Relay relay : relays) {
            relay.loop().execute(() -> relay.abort(CloseReason.SHUTDOWN));
        }
        greeter.abort();
    }
}

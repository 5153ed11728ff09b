package dev.understudy.relay;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The stages of a relayed connection: what a socket reads is tapped, and forwarded to the other socket.
 *
 * <p>Shared by a listener's connections. {@link #initChannel} runs on the event loop of the accepted client, which
 * production's socket joins.
 */
final class RelayInitializer extends ChannelInitializer<SocketChannel> {
    /** The most bytes read from a socket at once. */
    static final int LARGEST_READ = 256 * 1024;

    private static final int FIRST_READ = 2048;

    private final InetSocketAddress target;
    private final int connectTimeoutMillis;
    private final TapFactory taps;
    private final EventLoops loops;
    private final RelayMetrics metrics;
    private final LongSupplier nanoClock = System::nanoTime;
    private final Set<Relay> relays = ConcurrentHashMap.newKeySet();

    RelayInitializer(RelayConfig config, TapFactory taps, EventLoops loops, RelayMetrics metrics) {
        this.target = InetSocketAddress.createUnresolved(config.productionHost(), config.productionPort());
        this.connectTimeoutMillis = (int) config.connectTimeout().toMillis();
        this.taps = taps;
        this.loops = loops;
        this.metrics = metrics;
    }

    @Override
    protected void initChannel(SocketChannel client) {
        demandReads(client);
        Connection connection = new Connection(
                loops.nextConnection(), client.remoteAddress(), client.localAddress(), nanoClock.getAsLong());
        metrics.accepted();
        TapGuard tap = TapGuard.open(taps, connection, metrics);
        TapHandler tapRequests = new TapHandler(Direction.REQUEST, tap, metrics, nanoClock);
        TapHandler tapReplies = new TapHandler(Direction.REPLY, tap, metrics, nanoClock);
        ChannelFuture connecting = connect(client, tapReplies);

        if (connecting.channel() instanceof DuplexChannel production) {
            demandReads(production);
            Relay relay = new Relay(connection, client, production, tap, nanoClock, this::ended);
            relays.add(relay);
            client.pipeline().addLast(tapRequests, new ForwardHandler(relay, relay.client(), production));
            production.pipeline().addLast(new ForwardHandler(relay, relay.production(), client));
            connecting.addListener((ChannelFuture attempt) -> relay.connected(attempt));
        } else {
            // Not even a socket was to be had.
            client.config().setSoLinger(0);
            client.close();
            tap.closed(CloseReason.CONNECT_FAILED, nanoClock.getAsLong());
            metrics.ended(CloseReason.CONNECT_FAILED);
        }
    }

    private ChannelFuture connect(SocketChannel client, TapHandler tapReplies) {
        return loops.towardsProduction(client.eventLoop())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMillis)
                .handler(tapReplies)
                .connect(target);
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

    /** The connections that are open now. */
    Set<Relay> relays() {
        return relays;
    }
}

package dev.understudy.relay;

import dev.understudy.relay.connect.Dial;
import dev.understudy.relay.connect.Targets;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.SocketChannel;
import java.time.Duration;
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

    private final Targets targets;
    private final Duration connectTimeout;
    private final TapFactory taps;
    private final EventLoops loops;
    private final RelayMetrics metrics;
    private final LongSupplier nanoClock = System::nanoTime;
    private final Set<Relay> relays = ConcurrentHashMap.newKeySet();

    RelayInitializer(RelayConfig config, Targets targets, TapFactory taps, EventLoops loops, RelayMetrics metrics) {
        this.targets = targets;
        this.connectTimeout = config.production().connectTimeout();
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
        Relay relay = new Relay(connection, client, tap, nanoClock, this::ended);
        relays.add(relay);
        client.pipeline()
                .addLast(
                        new TapHandler(Direction.REQUEST, tap, metrics, nanoClock),
                        new ForwardHandler(relay, relay.client(), relay.production()));
        connect(relay, tap);
    }

    private void connect(Relay relay, TapGuard tap) {
        Dial.Caller caller = (address, timeoutMillis) -> loops.towardsProduction(relay.loop(), address)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMillis)
                .handler(new ChannelInitializer<DuplexChannel>() {
                    @Override
                    protected void initChannel(DuplexChannel production) {
                        demandReads(production);
                        production.pipeline().addLast(new TapHandler(Direction.REPLY, tap, metrics, nanoClock));
                    }
                })
                .connect(address);
        Dial.start(targets, relay.loop(), caller, connectTimeout, new Dial.Outcome() {
            @Override
            public void connected(DuplexChannel production) {
                production.pipeline().addLast(new ForwardHandler(relay, relay.production(), relay.client()));
                relay.connected(production);
            }

            @Override
            public void failed(Throwable cause) {
                relay.notConnected(cause);
            }
        });
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

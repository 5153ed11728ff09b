package dev.understudy.relay;

import dev.understudy.relay.accept.AcceptHandler;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.HealthChecks;
import dev.understudy.relay.connect.HealthConfig;
import dev.understudy.relay.connect.TargetStatus;
import dev.understudy.relay.connect.Targets;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.loop.PeriodicTask;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapCarrier;
import dev.understudy.relay.tap.TapFactory;
import dev.understudy.relay.tls.ServerNames;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Accepts clients on one address and relays each to production. Thread-safe. */
public final class Listener implements RelayStatus, AutoCloseable {
    private static final int BACKLOG = 4096;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long ABORT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Channel channel;
    private final RelayInitializer relays;
    private final RelayMetrics metrics;
    private final Targets targets;
    private final Runnable stopWatching;
    private volatile boolean hurried;

    private Listener(
            Channel channel, RelayInitializer relays, RelayMetrics metrics, Targets targets, Runnable stopWatching) {
        this.channel = channel;
        this.relays = relays;
        this.metrics = metrics;
        this.targets = targets;
        this.stopWatching = stopWatching;
    }

    /** Listens as below, with taps that are called on the relay loops of this process. */
    public static Listener open(RelayConfig config, TapFactory taps, EventLoops loops, MeterRegistry registry)
            throws IOException {
        return open(config, TapCarrier.inline(taps), loops, registry);
    }

    /**
     * Listens; connections are relayed once this returns.
     *
     * @throws BindFailed if the address can't be listened on, most often because the port is taken
     * @throws IOException if certificates or keys can't be read; the message names them
     */
    public static Listener open(RelayConfig config, TapCarrier carrier, EventLoops loops, MeterRegistry registry)
            throws IOException {
        if (config.listen().isUnresolved()) {
            throw new BindFailed(config.name(), config.listen(), new IOException("unknown host"));
        }
        Parts parts = Parts.of(config, carrier, loops);
        ChannelFuture bound = new ServerBootstrap()
                .group(loops.relay())
                .channelFactory(() -> loops.listeningSocket(
                        config.listen(), config.production().transparent()))
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.ALLOCATOR, loops.allocator())
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .handler(new AcceptHandler(
                        config.name(), config.accept(), parts.metrics.acceptFailures(), System::nanoTime))
                .childHandler(parts.relays)
                .bind(config.listen())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new BindFailed(config.name(), config.listen(), bound.cause());
        }
        return parts.listener(bound.channel(), config, loops, registry);
    }

    /**
     * Relays clients of another listener: those that ask for one of {@code names} in the TLS handshake that they have
     * with it. Both stop listening when one of them does.
     *
     * @param config its address to listen on and its clients' limits aren't used
     * @throws IOException if certificates or keys can't be read; the message names them
     */
    public static Listener behind(
            Listener other,
            ServerNames names,
            RelayConfig config,
            TapCarrier carrier,
            EventLoops loops,
            MeterRegistry registry)
            throws IOException {
        Parts parts = Parts.of(config, carrier, loops);
        other.relays.passOn(names, parts.relays);
        return parts.listener(other.channel, config, loops, registry);
    }

    /** What a listener is made of, but for its socket. */
    private record Parts(RelayMetrics metrics, Targets targets, TlsSides tls, RelayInitializer relays) {
        static Parts of(RelayConfig config, TapCarrier carrier, EventLoops loops) throws IOException {
            RelayMetrics metrics = new RelayMetrics();
            Targets targets = new Targets(config.production(), loops.names(), System::nanoTime);
            TlsSides tls = TlsSides.of(config, loops);
            RelayInitializer relays =
                    new RelayInitializer(config, targets, tls.client(), tls.production(), carrier, loops, metrics);
            return new Parts(metrics, targets, tls, relays);
        }

        Listener listener(Channel channel, RelayConfig config, EventLoops loops, MeterRegistry registry) {
            Runnable refreshing = tls.keepFresh(loops.control().next());
            ScheduledFuture<?> checks = startChecks(config, targets, loops);
            Listener listener = new Listener(channel, relays, metrics, targets, () -> {
                refreshing.run();
                checks.cancel(false);
            });
            List<String> production = config.production().addresses().stream()
                    .map(Address::spelled)
                    .toList();
            RelayMeters.register(registry, config.name(), listener, production);
            return listener;
        }
    }

    /** On the control loop, where nobody's bytes wait. */
    private static ScheduledFuture<?> startChecks(RelayConfig config, Targets targets, EventLoops loops) {
        HealthConfig health = config.production().health();
        EventLoop loop = loops.control().next();
        HealthChecks checks = new HealthChecks(
                config.name(),
                targets,
                address -> loops.towardsProduction(loop, address)
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                                health.timeout().toMillis())
                        .handler(new ChannelInboundHandlerAdapter()));
        String name = "checking production of listener " + config.name();
        return PeriodicTask.start(loop, name, health.interval(), health.interval(), checks);
    }

    @Override
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public long opened() {
        return metrics.opened();
    }

    @Override
    public long open() {
        return metrics.open();
    }

    @Override
    public long acceptFailures() {
        return metrics.acceptFailures().sum();
    }

    @Override
    public long tapFailures() {
        return metrics.tapFailures().sum();
    }

    @Override
    public long bytes(Direction direction) {
        return metrics.bytes(direction);
    }

    @Override
    public List<TargetStatus> production() {
        return targets.status();
    }

    @Override
    public long endings(CloseReason reason) {
        return metrics.endings(reason);
    }

    /**
     * Accepts no more, and waits for the open connections to end by themselves; those left after {@code patience} are
     * reset, so that nobody takes a cut stream for a whole one. {@link #hurry} ends the patience.
     *
     * @return whether all ended by themselves
     */
    public boolean drain(Duration patience) {
        channel.close().awaitUninterruptibly();
        stopWatching.run();
        boolean drained = awaitEnd(() -> hurried ? 0 : patience.toNanos());
        if (!drained) {
            relays.abort();
            awaitEnd(() -> ABORT_NANOS);
        }
        return drained;
    }

    /** Ends the patience of a drain that is going on, and of those to come. */
    public void hurry() {
        hurried = true;
    }

    private boolean awaitEnd(LongSupplier patienceNanos) {
        long begun = System.nanoTime();
        while (metrics.open() > 0) {
            if (System.nanoTime() - begun >= patienceNanos.getAsLong()) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    /** Drains with no patience. */
    @Override
    public void close() {
        drain(Duration.ZERO);
    }
}

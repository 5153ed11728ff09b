package dev.understudy.relay;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Accepts clients on one address and relays each to production. Thread-safe. */
public final class Listener implements AutoCloseable {
    private static final int BACKLOG = 4096;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long ABORT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Channel channel;
    private final RelayInitializer relays;
    private final RelayMetrics metrics;

    private Listener(Channel channel, RelayInitializer relays, RelayMetrics metrics) {
        this.channel = channel;
        this.relays = relays;
        this.metrics = metrics;
    }

    /**
     * Listens; connections are relayed once this returns.
     *
     * @throws BindFailed if the address can't be listened on, most often because the port is taken
     */
    public static Listener open(RelayConfig config, TapFactory taps, EventLoops loops, MeterRegistry registry)
            throws BindFailed {
        if (config.listen().isUnresolved()) {
            throw new BindFailed(config.name(), config.listen(), new IOException("unknown host"));
        }
        RelayMetrics metrics = new RelayMetrics(registry, config.name());
        RelayInitializer relays = new RelayInitializer(config, taps, loops, metrics);
        ChannelFuture bound = new ServerBootstrap()
                .group(loops.relay())
                .channel(loops.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.ALLOCATOR, loops.allocator())
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .handler(new AcceptHandler(config.maxConnections()))
                .childHandler(relays)
                .bind(config.listen())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new BindFailed(config.name(), config.listen(), bound.cause());
        }
        return new Listener(bound.channel(), relays, metrics);
    }

    /** Where it listens, with the real port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    /** Connections accepted so far. */
    public long opened() {
        return metrics.opened();
    }

    /** Connections open now. */
    public long open() {
        return metrics.open();
    }

    /** Bytes relayed in {@code direction} so far. */
    public long bytes(Direction direction) {
        return metrics.bytes(direction);
    }

    /** How many connections ended for {@code reason} so far. */
    public long endings(CloseReason reason) {
        return metrics.endings(reason);
    }

    /**
     * Accepts no more, and waits for the open connections to end by themselves; those left after {@code patience} are
     * reset, so that nobody takes a cut stream for a whole one.
     *
     * @return whether all ended by themselves
     */
    public boolean drain(Duration patience) {
        channel.close().awaitUninterruptibly();
        boolean drained = awaitEnd(patience.toNanos());
        if (!drained) {
            for (Relay relay : relays.relays()) {
                relay.loop().execute(() -> relay.abort(CloseReason.SHUTDOWN));
            }
            awaitEnd(ABORT_NANOS);
        }
        return drained;
    }

    private boolean awaitEnd(long patienceNanos) {
        long begun = System.nanoTime();
        while (metrics.open() > 0) {
            if (System.nanoTime() - begun >= patienceNanos) {
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

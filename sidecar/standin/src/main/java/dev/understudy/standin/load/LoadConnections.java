package dev.understudy.standin.load;

import dev.understudy.standin.value.Quantiles;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a run, like production's sessions: a new one is opened for a request until there are as many as
 * told. Then the one that has been idle longest is used. Confined to the event loop, but for what says otherwise.
 */
final class LoadConnections {
    private static final long SWEEP_MILLIS = 20;
    private static final int CONNECT_MILLIS = 5_000;

    private final EventLoop loop;
    private final RequestBacklog backlog;
    private final LoadMeter meter;
    private final Bootstrap client;
    private final int most;
    private final long timeout;
    private final Quantiles lengths;
    private final SplittableRandom random;
    private final Set<LoadConnection> active = new LinkedHashSet<>();
    private final Deque<LoadConnection> idle = new ArrayDeque<>();
    private final AtomicBoolean awake = new AtomicBoolean();
    private int connecting;

    LoadConnections(
            LoadPlan plan,
            InetSocketAddress address,
            EventLoop loop,
            RequestBacklog backlog,
            LoadMeter meter,
            SplittableRandom random) {
        this.loop = loop;
        this.backlog = backlog;
        this.meter = meter;
        this.random = random;
        LoadOptions options = plan.options();
        this.most = options.connections();
        this.timeout = options.timeout().toNanos();
        this.lengths = plan.model().arrivals().requestsPerConnection();
        this.client = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .remoteAddress(address)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        Math.min(CONNECT_MILLIS, options.timeout().toMillis()))
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        LoadConnection.addTo(channel.pipeline(), LoadConnections.this, meter, options);
                    }
                });
    }

    /** Looks for requests that came. For any thread. */
    void wake() {
        if (awake.compareAndSet(false, true)) {
            loop.execute(this::admit);
        }
    }

    /** Looks for what has timed out from now on. */
    void sweepAlways() {
        loop.scheduleWithFixedDelay(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void admit() {
        awake.set(false);
        backlog.admit(meter);
        assign();
    }

    /** Each request that waits has a connection that is being opened, or else gets one that is idle. */
    private void assign() {
        while (backlog.waiting() > connecting) {
            if (active.size() + connecting < most) {
                connect();
                continue;
            }
            LoadConnection free = idle.poll();
            if (free == null) {
                return;
            }
            use(free);
        }
    }

    /** Opens one more; whoever waits the longest then gets it. */
    ChannelFuture connect() {
        connecting++;
        ChannelFuture connected = client.connect();
        connected.addListener(done -> {
            if (done.isSuccess()) {
                connecting--;
            } else {
                // a socket that can't be made is told of on another thread
                loop.execute(() -> refused(done.cause()));
            }
        });
        return connected;
    }

    private void refused(Throwable cause) {
        connecting--;
        if (!(cause instanceof ConnectTimeoutException)) {
            DueRequest first = next();
            if (first != null) {
                meter.failed(first, LoadError.REFUSED, String.valueOf(cause.getMessage()));
            }
        }
        assign();
    }

    /** A connection was opened. */
    void opened(LoadConnection connection) {
        active.add(connection);
        meter.opened();
        use(connection);
    }

    /** How many requests a new connection has. */
    int length() {
        return (int) Math.max(1, Math.min(Math.round(lengths.at(random.nextDouble())), Integer.MAX_VALUE));
    }

    /** A connection has nothing to do. */
    void use(LoadConnection connection) {
        DueRequest first = next();
        if (first == null) {
            idle.add(connection);
        } else {
            connection.send(first);
        }
    }

    /** A connection has ended. */
    void gone(LoadConnection connection) {
        active.remove(connection);
        idle.remove(connection);
        assign();
    }

    private void sweep() {
        long now = System.nanoTime();
        expire(now);
        for (LoadConnection connection : List.copyOf(active)) {
            connection.expire(timeout, now);
        }
    }

    private void expire(long now) {
        for (DueRequest old = backlog.pollOlder(timeout, now); old != null; old = backlog.pollOlder(timeout, now)) {
            meter.failed(old, LoadError.TIMEOUT, "no connection was free in time");
        }
    }

    private @Nullable DueRequest next() {
        expire(System.nanoTime());
        return backlog.poll();
    }
}

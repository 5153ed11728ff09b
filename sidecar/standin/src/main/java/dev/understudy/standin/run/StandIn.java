package dev.understudy.standin.run;

import dev.understudy.standin.model.ServiceModel;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerExpectContinueHandler;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service played by its model: an HTTP/1.1 server whose workers spend time, processor time and memory as learned.
 * Each thing it holds has a bound: {@link StandInLimits}; no body is held.
 */
public final class StandIn implements AutoCloseable {
    private static final int MOST_LOOPS = 4;
    private static final int MEASURE_MILLIS = 500;
    /** Where no limit was seen; more than cores can be waiting at the same time. */
    private static final int UNLIMITED_WORKERS = 256;

    private final StandInCounts counts = new StandInCounts();
    private final StandInCost own = new StandInCost();
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(
            Math.min(MOST_LOOPS, Runtime.getRuntime().availableProcessors()),
            new DefaultThreadFactory("standin", true),
            Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    private final ThreadPoolExecutor workers;
    private final Channel server;
    private final AtomicInteger connections = new AtomicInteger();

    private StandIn(ServiceModel model, StandInOptions options, StandInLimits limits) throws IOException {
        int count = model.workers() == 0 ? UNLIMITED_WORKERS : model.workers();
        workers = new ThreadPoolExecutor(
                count,
                count,
                1,
                TimeUnit.MINUTES,
                new LinkedBlockingQueue<>(limits.waiting()),
                new DefaultThreadFactory("standin-worker", true));
        loops.next().scheduleWithFixedDelay(own::measure, MEASURE_MILLIS, MEASURE_MILLIS, TimeUnit.MILLISECONDS);
        RouteIndex routes = new RouteIndex(model);
        ReplyMaker replies = new ReplyMaker(options.seed());
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        if (isOneTooMany(channel, limits.connections())) {
                            return;
                        }
                        channel.pipeline()
                                .addLast(
                                        new IdleStateHandler(0, 0, limits.idle().toMillis(), TimeUnit.MILLISECONDS),
                                        new HttpServerCodec(),
                                        new HttpServerExpectContinueHandler(),
                                        // pipelined requests wait for those before them
                                        new FlowControlHandler(),
                                        new StandInHandler(routes, replies, options, workers, counts, own));
                    }
                });
        InetSocketAddress listen = options.listen();
        try {
            server = bootstrap
                    .bind(new InetSocketAddress(listen.getHostString(), listen.getPort()))
                    .sync()
                    .channel();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            close(workers, loops);
            throw new IOException("interrupted", stopped);
        } catch (Exception refused) {
            close(workers, loops);
            throw new IOException(
                    listen.getHostString() + ":" + listen.getPort() + ": can't listen there: " + refused.getMessage(),
                    refused);
        }
    }

    /**
     * Starts one.
     *
     * @throws IOException if it can't listen there, or not be reached from this host
     */
    public static StandIn start(ServiceModel model, StandInOptions options) throws IOException {
        return start(model, options, StandInLimits.STANDARD);
    }

    static StandIn start(ServiceModel model, StandInOptions options, StandInLimits limits) throws IOException {
        StandIn standIn = new StandIn(model, options, limits);
        try {
            standIn.own.roundTrip(LoopbackProbe.roundTripNanos(standIn.reachable()));
            standIn.own.begin();
            return standIn;
        } catch (IOException unreachable) {
            standIn.close();
            throw unreachable;
        }
    }

    /** Its address from its own host. */
    private InetSocketAddress reachable() {
        InetSocketAddress bound = address();
        return bound.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), bound.getPort())
                : bound;
    }

    private boolean isOneTooMany(Channel channel, int most) {
        channel.closeFuture().addListener(closed -> connections.decrementAndGet());
        if (connections.incrementAndGet() > most) {
            counts.refused();
            channel.close();
            return true;
        }
        return false;
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    /** What it has answered. */
    public StandInCounts counts() {
        return counts;
    }

    /** Stops at once; requests in progress get no reply. */
    @Override
    public void close() {
        server.close().syncUninterruptibly();
        close(workers, loops);
    }

    private static void close(ThreadPoolExecutor workers, EventLoopGroup loops) {
        workers.shutdownNow();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}

package dev.understudy.mcp.carrier;

import dev.understudy.relay.control.access.AccessTokens;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Messages by HTTP: each is one POST, and its answer the reply ("streamable HTTP" without streams).
 *
 * <p>One event loop reads and writes. Messages are answered on some threads of their own, which may wait for a sidecar.
 */
public final class HttpCarrier implements AutoCloseable {
    /** Where messages go. */
    public static final String PATH = "/mcp";

    private static final int THREADS = 8;
    private static final int WAITING = 32;

    private final EventLoopGroup loop;
    private final ThreadPoolExecutor threads;
    private final Channel channel;

    private HttpCarrier(EventLoopGroup loop, ThreadPoolExecutor threads, Channel channel) {
        this.loop = loop;
        this.threads = threads;
        this.channel = channel;
    }

    /**
     * Starts to listen.
     *
     * @param tokens whose bearers may call; nobody else may
     * @throws IOException if the address can't be had; the message names it
     */
    public static HttpCarrier open(
            InetSocketAddress listen, AccessTokens tokens, HttpCarrierLimits limits, MessageDispatcher dispatcher)
            throws IOException {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(WAITING),
                new DefaultThreadFactory("understudy-mcp", true));
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("understudy-mcp-http", true), NioIoHandler.newFactory());
        AtomicInteger open = new AtomicInteger();
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (open.incrementAndGet() > limits.connections()) {
                            open.decrementAndGet();
                            channel.close();
                            return;
                        }
                        channel.closeFuture().addListener(closed -> open.decrementAndGet());
                        channel.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(limits.body(), true),
                                        new HttpCarrierHandler(tokens, limits.patience(), dispatcher, threads));
                    }
                })
                .bind(listen)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            threads.shutdownNow();
            throw new IOException(
                    "--listen: " + listen + " can't be opened: " + bound.cause().getMessage(), bound.cause());
        }
        return new HttpCarrier(loop, threads, bound.channel());
    }

    /** The address it really listens on. */
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        threads.shutdownNow();
    }
}

package dev.understudy.relay.control;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.accept.AcceptHandler;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Listens on the control port, on a thread of its own, and holds its callers to {@link ControlLimits}. */
public final class ControlServer implements AutoCloseable {
    /** What the kernel holds of a connection in each direction, about. */
    private static final int SOCKET_BUFFER = 256 << 10;

    private static final int READ = 16 << 10;

    private final EventLoopGroup loop;
    private final Channel channel;
    private final ControlResources resources;

    private ControlServer(EventLoopGroup loop, Channel channel, ControlResources resources) {
        this.loop = loop;
        this.channel = channel;
        this.resources = resources;
    }

    /**
     * Starts to listen; {@code /healthz} is answered besides the given routes.
     *
     * @throws IOException when the address can't be had; the message names it
     */
    public static ControlServer open(ControlConfig config, Routes routes) throws IOException {
        return open(
                config,
                routes,
                ControlLimits.of(config.maxConnections(), Runtime.getRuntime().maxMemory()));
    }

    static ControlServer open(ControlConfig config, Routes routes, ControlLimits limits) throws IOException {
        ControlResources resources = ControlResources.of(limits, new ControlCounts(System::nanoTime));
        routes.get("/healthz", call -> Reply.text(200, "ok\n"));
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("understudy-control", true), NioIoHandler.newFactory());
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .handler(new AcceptHandler("control", AcceptConfig.defaults(), new LongAdder(), System::nanoTime))
                .option(ChannelOption.SO_RCVBUF, SOCKET_BUFFER)
                .childOption(ChannelOption.SO_SNDBUF, SOCKET_BUFFER)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator(512, 2048, READ))
                .childHandler(new ControlInitializer(new Gatekeeper(config.token()), routes, resources))
                .bind(config.listen())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException(
                    "control port " + config.listen() + " can't be opened: "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return new ControlServer(loop, bound.channel(), resources);
    }

    /** Returns the address it really listens on. */
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    /** What it has refused and cut off. */
    public ControlCounts counts() {
        return resources.counts();
    }

    /** What requests' bodies are charged to. */
    MemoryBudget bodies() {
        return resources.bodies();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}

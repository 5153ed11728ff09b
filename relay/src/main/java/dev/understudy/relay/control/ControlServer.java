package dev.understudy.relay.control;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.accept.AcceptHandler;
import dev.understudy.relay.control.access.Access;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.control.access.AccessTokens;
import dev.understudy.relay.control.access.GeneratedTokens;
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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Listens on the control port, on a thread of its own, and holds its callers to {@link ControlLimits}. */
public final class ControlServer implements AutoCloseable {
    /** What the kernel holds of a connection in each direction, about. */
    private static final int SOCKET_BUFFER = 256 << 10;

    private static final int READ = 16 << 10;

    private final EventLoopGroup loop;
    private final Channel channel;
    private final ControlResources resources;

    private final @Nullable GeneratedTokens generated;

    private ControlServer(
            EventLoopGroup loop, Channel channel, ControlResources resources, @Nullable GeneratedTokens generated) {
        this.loop = loop;
        this.channel = channel;
        this.resources = resources;
        this.generated = generated;
    }

    /**
     * Starts to listen; {@code /healthz} is answered besides the given routes.
     *
     * @throws IOException when the address can't be had; the message names it
     */
    public static ControlServer open(ControlConfig config, Routes routes) throws IOException {
        return open(config, routes, order -> {});
    }

    /**
     * Starts to listen, as {@link #open(ControlConfig, Routes)} does.
     *
     * @param orders is given each order and what came of it, on the control thread
     */
    public static ControlServer open(ControlConfig config, Routes routes, Consumer<Map<String, Object>> orders)
            throws IOException {
        ControlLimits limits =
                ControlLimits.of(config.maxConnections(), Runtime.getRuntime().maxMemory());
        return open(config, routes, limits, orders);
    }

    static ControlServer open(
            ControlConfig config, Routes routes, ControlLimits limits, Consumer<Map<String, Object>> orders)
            throws IOException {
        ControlResources resources =
                ControlResources.of(limits, new ControlCounts(System::nanoTime), new AuditLog(orders));
        routes.get(Access.PUBLIC, "/healthz", call -> Reply.text(200, "ok\n"));
        AccessConfig access = config.access();
        GeneratedTokens generated = access.isEmpty() ? new GeneratedTokens() : null;
        AccessTokens tokens = new AccessTokens(generated == null ? access.tokens() : generated.tokens());
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
                .childHandler(new ControlInitializer(new Gatekeeper(tokens, access.anonymous()), routes, resources))
                .bind(config.listen())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException(
                    "control port " + config.listen() + " can't be opened: "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        ControlServer server = new ControlServer(loop, bound.channel(), resources, generated);
        if (generated != null) {
            generated.publish(server.address().getPort());
        }
        return server;
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
        if (generated != null) {
            generated.close();
        }
        channel.close().awaitUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}

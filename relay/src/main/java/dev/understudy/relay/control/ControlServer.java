package dev.understudy.relay.control;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.accept.AcceptHandler;
import dev.understudy.relay.control.access.Access;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.control.access.AccessTokens;
import dev.understudy.relay.control.access.GeneratedTokens;
import dev.understudy.relay.control.access.SignIn;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.PeriodicTask;
import dev.understudy.relay.tls.ServerTls;
import dev.understudy.relay.tls.TerminateConfig;
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
import io.netty.util.concurrent.ImmediateExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.FileSystemException;
import java.time.Duration;
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
    private static final Duration PACE = Duration.ofSeconds(2);

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
     * @throws IOException when the address can't be had, or a file of its TLS; the message names it
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
        return open(config, routes, null, orders);
    }

    /**
     * Starts to listen, as {@link #open(ControlConfig, Routes)} does.
     *
     * @param signIn is given the port's tokens, and knows whom cookies stand for; null where they stand for nobody
     * @param orders is given each order and what came of it, on the control thread
     */
    public static ControlServer open(
            ControlConfig config, Routes routes, @Nullable SignIn signIn, Consumer<Map<String, Object>> orders)
            throws IOException {
        ControlLimits limits =
                ControlLimits.of(config.maxConnections(), Runtime.getRuntime().maxMemory());
        return open(config, routes, limits, signIn, orders);
    }

    static ControlServer open(
            ControlConfig config,
            Routes routes,
            ControlLimits limits,
            @Nullable SignIn signIn,
            Consumer<Map<String, Object>> orders)
            throws IOException {
        ControlResources resources =
                ControlResources.of(limits, new ControlCounts(System::nanoTime), new AuditLog(orders));
        routes.get(Access.PUBLIC, "/healthz", call -> Reply.text(200, "ok\n"));
        AccessConfig access = config.access();
        GeneratedTokens generated = access.isEmpty() ? new GeneratedTokens() : null;
        AccessTokens tokens = new AccessTokens(generated == null ? access.tokens() : generated.tokens());
        if (signIn != null) {
            signIn.open(tokens, config.tls() != null);
        }
        ServerTls tls = config.tls() == null ? null : tls(config.tls());
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
                .childHandler(new ControlInitializer(
                        new Gatekeeper(tokens, access.anonymous(), signIn), routes, resources, tls))
                .bind(config.listen())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException(
                    "control port " + config.listen() + " can't be opened: "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        if (tls != null) {
            PeriodicTask.start(loop.next(), "looking for new certificates", PACE, PACE, tls::refresh);
        }
        ControlServer server = new ControlServer(loop, bound.channel(), resources, generated);
        if (generated != null) {
            generated.publish(server.address().getPort());
        }
        return server;
    }

    /** Handshakes are computed on the control thread, which nobody's bytes wait for. */
    private static ServerTls tls(TerminateConfig config) throws IOException {
        try {
            return new ServerTls(config, ImmediateExecutor.INSTANCE);
        } catch (FileSystemException unreadable) {
            throw new IOException("control.tls: " + unreadable.getFile() + " can't be read", unreadable);
        } catch (IOException wrong) {
            throw new IOException("control.tls: " + wrong.getMessage(), wrong);
        }
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

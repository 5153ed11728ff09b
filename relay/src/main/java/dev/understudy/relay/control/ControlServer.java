package dev.understudy.relay.control;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.accept.AcceptHandler;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Listens on the control port, on a thread of its own. */
public final class ControlServer implements AutoCloseable {
    private final EventLoopGroup loop;
    private final Channel channel;

    private ControlServer(EventLoopGroup loop, Channel channel) {
        this.loop = loop;
        this.channel = channel;
    }

    /**
     * Starts to listen; {@code /healthz} is answered besides the given routes.
     *
     * @throws IOException when the address can't be had; the message names it
     */
    public static ControlServer open(ControlConfig config, Routes routes) throws IOException {
        routes.get("/healthz", call -> Reply.text(200, "ok\n"));
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("understudy-control", true), NioIoHandler.newFactory());
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .handler(new AcceptHandler("control", AcceptConfig.defaults(), new LongAdder(), System::nanoTime))
                .childHandler(new ControlInitializer(new Gatekeeper(config.token()), routes))
                .bind(config.listen())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException(
                    "control port " + config.listen() + " can't be opened: "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return new ControlServer(loop, bound.channel());
    }

    /** Returns the address it really listens on. */
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}

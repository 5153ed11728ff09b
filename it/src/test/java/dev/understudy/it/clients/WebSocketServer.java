package dev.understudy.it.clients;

import dev.understudy.it.stage.Chain;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A WebSocket server that sends each message back, and remembers all of them in a {@link Chain}. */
final class WebSocketServer implements AutoCloseable {
    private static final int LONGEST = 4 << 20;

    private final MultiThreadIoEventLoopGroup threads = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel listening;
    private volatile Chain messages = Chain.EMPTY;

    /** Listens on a free loopback port. */
    WebSocketServer() {
        listening = new ServerBootstrap()
                .group(threads)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel client) {
                        client.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(LONGEST),
                                        new WebSocketServerProtocolHandler("/echo", null, false, LONGEST),
                                        new WebSocketFrameAggregator(LONGEST),
                                        new Echo());
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly()
                .channel();
    }

    int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /** All messages so far, each with its kind. */
    Chain messages() {
        return messages;
    }

    @Override
    public void close() {
        threads.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private final class Echo extends SimpleChannelInboundHandler<WebSocketFrame> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
            messages = messages.with(frame.getClass().getSimpleName().getBytes(StandardCharsets.US_ASCII))
                    .with(ByteBufUtil.getBytes(frame.content()));
            ctx.writeAndFlush(frame.retain());
        }
    }
}

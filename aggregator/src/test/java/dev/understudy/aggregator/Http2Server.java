package dev.understudy.aggregator;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http2.CleartextHttp2ServerUpgradeHandler;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ServerUpgradeCodec;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An HTTP/2 server in plain text, by prior knowledge or upgrade, whose answers tell how often it was asked, and what.
 *
 * <p>{@code /large} answers with a megabyte, {@code /trailers} with trailers, {@code /early} after a 103,
 * {@code /reset} with a reset, {@code /empty} with a 204, {@code /events} with what {@link #say} is given.
 */
final class Http2Server implements AutoCloseable {
    static final int LARGE = 1_000_000;

    final AtomicInteger served = new AtomicInteger();
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel server;

    /** The stream of events that was asked for first. */
    private final CompletableFuture<Channel> events = new CompletableFuture<>();

    Http2Server() {
        server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        HttpServerCodec http1 = new HttpServerCodec();
                        HttpServerUpgradeHandler upgrade = new HttpServerUpgradeHandler(
                                http1,
                                protocol -> new Http2ServerUpgradeCodec(
                                        Http2FrameCodecBuilder.forServer().build(),
                                        new Http2MultiplexHandler(streams())),
                                100_000);
                        channel.pipeline()
                                .addLast(new CleartextHttp2ServerUpgradeHandler(
                                        http1, upgrade, new ChannelInitializer<>() {
                                            @Override
                                            protected void initChannel(Channel knowing) {
                                                knowing.pipeline()
                                                        .addLast(
                                                                Http2FrameCodecBuilder.forServer()
                                                                        .build(),
                                                                new Http2MultiplexHandler(streams()));
                                            }
                                        }));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** Sends one more event, in a frame of its own. */
    void say(String event) {
        ByteBuf line = Unpooled.copiedBuffer(event + '\n', StandardCharsets.UTF_8);
        events.join().writeAndFlush(new DefaultHttp2DataFrame(line)).syncUninterruptibly();
    }

    /** Ends the events, with trailers. */
    void endEvents() {
        Http2Headers trailers = new DefaultHttp2Headers().add("checksum", "17");
        events.join()
                .writeAndFlush(new DefaultHttp2HeadersFrame(trailers, true))
                .syncUninterruptibly();
    }

    /** Breaks the events off. */
    void resetEvents() {
        events.join()
                .writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR))
                .syncUninterruptibly();
    }

    @Override
    public void close() {
        server.close().syncUninterruptibly();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private ChannelHandler streams() {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.pipeline().addLast(new Serving());
            }
        };
    }

    private final class Serving extends ChannelInboundHandlerAdapter {
        private String asked = "";
        private String path = "";
        private String method = "";

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object msg) {
            try {
                if (msg instanceof Http2HeadersFrame head) {
                    if (path.isEmpty()) {
                        path = head.headers().path().toString();
                        method = head.headers().method().toString();
                    }
                    if (head.isEndStream()) {
                        answer(ctx);
                    }
                } else if (msg instanceof Http2DataFrame data) {
                    asked += data.content().toString(StandardCharsets.UTF_8);
                    if (data.isEndStream()) {
                        answer(ctx);
                    }
                }
            } finally {
                ReferenceCountUtil.release(msg);
            }
        }

        private void answer(ChannelHandlerContext ctx) {
            String text = served.incrementAndGet() + " " + method + " " + path + " " + asked;
            ByteBuf body = Unpooled.copiedBuffer(
                    path.equals("/large") ? "x".repeat(LARGE) + text : text, StandardCharsets.UTF_8);
            Http2Headers ok = new DefaultHttp2Headers().status("200").add("content-type", "text/plain");
            switch (path) {
                case "/reset" -> {
                    body.release();
                    ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
                }
                case "/events" -> {
                    body.release();
                    ctx.writeAndFlush(new DefaultHttp2HeadersFrame(ok.set("content-type", "text/event-stream")));
                    events.complete(ctx.channel());
                }
                case "/empty" -> {
                    body.release();
                    ctx.writeAndFlush(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("204"), true));
                }
                case "/trailers" -> {
                    ctx.write(new DefaultHttp2HeadersFrame(ok));
                    ctx.write(new DefaultHttp2DataFrame(body, false, 7));
                    ctx.writeAndFlush(
                            new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().add("checksum", "17"), true));
                }
                default -> {
                    if (path.equals("/early")) {
                        ctx.write(new DefaultHttp2HeadersFrame(
                                new DefaultHttp2Headers().status("103").add("link", "</a.css>")));
                    }
                    boolean head = method.equals("HEAD");
                    ok.addInt("content-length", body.readableBytes());
                    ctx.write(new DefaultHttp2HeadersFrame(ok, head));
                    if (head) {
                        body.release();
                        ctx.flush();
                    } else {
                        ctx.writeAndFlush(new DefaultHttp2DataFrame(body, true));
                    }
                }
            }
        }
    }
}

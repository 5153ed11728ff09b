package dev.understudy.session.renewal;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A port on loopback for one request a connection. At most {@value #MOST} callers haven't sent theirs: one more takes
 * the oldest one's place. Whoever takes too long, to send or to read, is disconnected. One thread does all of it.
 */
final class WebhookPort implements AutoCloseable {
    static final int MOST = 16;

    private static final int LONGEST_LINE = 1 << 10;
    private static final int LONGEST_HEAD = 8 << 10;
    private static final int LARGEST_BODY = 4 << 10;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("understudy-renewal", true), NioIoHandler.newFactory());
    private final Channel channel;
    private final WebhookCalls calls;
    private final Duration patience;
    /** The oldest first; confined to the loop. */
    private final Set<Channel> silent = new LinkedHashSet<>();

    private WebhookPort(WebhookCalls calls, Duration patience) throws IOException {
        this.calls = calls;
        this.patience = patience;
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 128)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel caller) {
                        accepted(caller);
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException("no port on loopback: " + bound.cause().getMessage(), bound.cause());
        }
        channel = bound.channel();
    }

    /**
     * Listens on a free port.
     *
     * @param patience until a request is whole, and until its reply is taken
     */
    static WebhookPort open(WebhookCalls calls, Duration patience) throws IOException {
        return new WebhookPort(calls, patience);
    }

    /** Answers whole requests, on the port's thread, without waiting. */
    @FunctionalInterface
    interface WebhookCalls {
        /** What is answered, perhaps later. */
        CompletionStage<WebhookReply> call(String method, String path, String body);
    }

    /** A status, and what is said with it. */
    record WebhookReply(int status, String text) {}

    private void accepted(Channel caller) {
        silent.add(caller);
        if (silent.size() > MOST) {
            silent.iterator().next().close();
        }
        caller.closeFuture().addListener(over -> silent.remove(caller));
        caller.eventLoop()
                .schedule(() -> silent.contains(caller) ? caller.close() : null, nanos(), TimeUnit.NANOSECONDS);
        caller.pipeline()
                .addLast(
                        new HttpServerCodec(LONGEST_LINE, LONGEST_HEAD, LONGEST_HEAD),
                        new HttpObjectAggregator(LARGEST_BODY, true),
                        new WebhookHandler());
    }

    private long nanos() {
        return patience.toNanos();
    }

    /** Where it listens. */
    int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Takes one request, and no more. */
    private final class WebhookHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
            if (!silent.remove(ctx.channel())) {
                return;
            }
            ctx.channel().config().setAutoRead(false);
            if (!request.decoderResult().isSuccess()) {
                reply(ctx, new WebhookReply(400, "this is not HTTP/1.1"));
                return;
            }
            calls.call(request.method().name(), request.uri(), request.content().toString(StandardCharsets.UTF_8))
                    .whenComplete((reply, defect) -> ctx.executor()
                            .execute(() -> reply(
                                    ctx, defect == null ? reply : new WebhookReply(500, String.valueOf(defect)))));
        }

        private void reply(ChannelHandlerContext ctx, WebhookReply reply) {
            byte[] text = (reply.text() + "\n").getBytes(StandardCharsets.UTF_8);
            FullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(reply.status()), Unpooled.wrappedBuffer(text));
            response.headers()
                    .set(HttpHeaderNames.CONTENT_LENGTH, text.length)
                    .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            ctx.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
            ctx.executor().schedule(() -> ctx.close(), nanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable gone) {
            ctx.close();
        }
    }
}

package dev.understudy.sidecar.reduce;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.sidecar.label.ReplyFacts;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContentDecompressor;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends inputs to a copy, each on a connection of its own, one after the other. Confined to one thread, but for a
 * thread of its own that reads and writes.
 */
public final class CopyCaller implements AutoCloseable {
    private static final int LARGEST_REPLY = 4 << 20;
    private static final int CONTINUE = 100;
    private static final int SWITCHING = 101;
    private static final int CONNECT_MILLIS = 5_000;

    private final EventLoopGroup thread =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("reduce", true), NioIoHandler.newFactory());
    private final InetSocketAddress to;
    private final Duration patience;

    /** @param patience how long each reply is waited for */
    public CopyCaller(InetSocketAddress to, Duration patience) {
        this.to = to;
        this.patience = patience;
    }

    /**
     * Sends all of an input, and gives the reply to its last request.
     *
     * @throws IOException if the copy can't be reached at all
     */
    ReplyFacts ask(HttpInput input) throws IOException, InterruptedException {
        Conversation conversation = connect();
        try {
            for (HttpCall call : input.earlier()) {
                ReplyFacts reply = exchange(conversation, call);
                if (reply.status() == 0) {
                    return ReplyFacts.none("before its last request: " + reply.trouble(), reply.millis());
                }
                if (!conversation.goesOn()) {
                    conversation.close();
                    conversation = connect();
                }
            }
            return exchange(conversation, input.last());
        } finally {
            conversation.close();
        }
    }

    /**
     * A connection on which nothing is sent yet.
     *
     * @throws IOException if the copy can't be reached
     */
    public Line open() throws IOException, InterruptedException {
        return new Line(connect());
    }

    /** A connection to the copy. Confined to one thread. */
    public final class Line implements AutoCloseable {
        private final Conversation conversation;

        private Line(Conversation conversation) {
            this.conversation = conversation;
        }

        /** The port that it comes from. */
        public int port() {
            return conversation.port();
        }

        /** Sends a request, and gives the reply to it. */
        public ReplyFacts ask(HttpCall call) throws InterruptedException {
            return exchange(conversation, call);
        }

        @Override
        public void close() {
            conversation.close();
        }
    }

    private ReplyFacts exchange(Conversation conversation, HttpCall call) throws InterruptedException {
        long begun = System.nanoTime();
        CompletableFuture<ReplyFacts> coming = conversation.send(call);
        try {
            return coming.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            return ReplyFacts.none("no reply within " + patience.toMillis() + " ms", millisSince(begun));
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            return ReplyFacts.none(String.valueOf(cause == null ? failed : cause.getMessage()), millisSince(begun));
        }
    }

    private Conversation connect() throws IOException, InterruptedException {
        Conversation conversation = new Conversation();
        InetSocketAddress resolved = new InetSocketAddress(to.getHostString(), to.getPort());
        ChannelFuture connected = new Bootstrap()
                .group(thread)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        conversation.addTo(channel.pipeline());
                    }
                })
                .connect(resolved)
                .await();
        if (!connected.isSuccess()) {
            throw new IOException("can't connect to " + to.getHostString() + ":" + to.getPort() + ": "
                    + connected.cause().getMessage() + " (expected: a debug JVM that listens there)");
        }
        conversation.channel = connected.channel();
        return conversation;
    }

    private static long millisSince(long begun) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    }

    @Override
    public void close() {
        thread.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /** One connection, on which one request at a time is answered. */
    private static final class Conversation extends SimpleChannelInboundHandler<FullHttpResponse> {
        private @Nullable Channel channel;
        private volatile String method = "";
        private volatile CompletableFuture<ReplyFacts> coming = new CompletableFuture<>();
        private volatile long begun;

        void addTo(ChannelPipeline pipeline) {
            pipeline.addLast(new HttpResponseDecoder() {
                @Override
                protected boolean isContentAlwaysEmpty(HttpMessage message) {
                    return method.equals("HEAD") || super.isContentAlwaysEmpty(message);
                }
            });
            pipeline.addLast(new HttpContentDecompressor(LARGEST_REPLY));
            pipeline.addLast(new HttpObjectAggregator(LARGEST_REPLY));
            pipeline.addLast(this);
        }

        CompletableFuture<ReplyFacts> send(HttpCall call) {
            CompletableFuture<ReplyFacts> next = new CompletableFuture<>();
            coming = next;
            method = call.head().method();
            begun = System.nanoTime();
            if (channel != null) {
                channel.writeAndFlush(Unpooled.wrappedBuffer(call.bytes()))
                        .addListener(written -> begun = System.nanoTime());
            }
            return next;
        }

        /** Whether a further request may be sent. */
        boolean goesOn() {
            return channel != null && channel.isActive();
        }

        int port() {
            return channel != null && channel.localAddress() instanceof InetSocketAddress own ? own.getPort() : 0;
        }

        void close() {
            if (channel != null) {
                channel.close();
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, FullHttpResponse reply) {
            int status = reply.status().code();
            if (status >= CONTINUE && status < 200 && status != SWITCHING) {
                return;
            }
            if (reply.decoderResult().isFailure()) {
                fail("no HTTP: " + reply.decoderResult().cause().getMessage());
                return;
            }
            List<Header> headers = reply.headers().entries().stream()
                    .filter(entry -> !entry.getKey().isEmpty())
                    .map(entry -> new Header(entry.getKey(), entry.getValue()))
                    .toList();
            coming.complete(
                    new ReplyFacts(status, headers, ByteBufUtil.getBytes(reply.content()), millisSince(begun), ""));
            if (!HttpUtil.isKeepAlive(reply)) {
                ctx.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            fail(String.valueOf(cause.getMessage()));
            ctx.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            fail("the copy closed the connection");
        }

        private void fail(String trouble) {
            coming.completeExceptionally(new IOException(trouble));
        }
    }
}

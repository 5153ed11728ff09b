package dev.understudy.relay.split;

import dev.understudy.relay.loop.EventLoops;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Tells load balancers that the tap process serves: it answers whatever HTTP request comes with 200, and with 503 once
 * it accepts no more clients. One answer a connection.
 *
 * <p>On the control loop, where nobody's bytes wait. Each caller has {@value #MOST_BYTES} bytes and {@value #SECONDS}
 * seconds. With more than {@value #MOST_CALLERS} callers at a time the eldest is closed.
 */
final class HealthPort implements AutoCloseable {
    static final int MOST_CALLERS = 16;
    static final int MOST_BYTES = 4096;
    static final int SECONDS = 5;

    private final Channel channel;

    /** The eldest first; only touched on the one control loop. */
    private final Queue<Channel> callers = new ArrayDeque<>(MOST_CALLERS);

    private volatile boolean draining;

    private HealthPort(EventLoops loops, InetSocketAddress listen) throws IOException {
        ChannelFuture bound = new ServerBootstrap()
                .group(loops.control())
                .channel(loops.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.ALLOCATOR, loops.allocator())
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel caller) {
                        take(caller);
                    }
                })
                .bind(listen)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "tap.health " + listen + " can't be listened on: "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        channel = bound.channel();
    }

    /**
     * Begins to answer.
     *
     * @throws IOException if the address can't be listened on; the message names it
     */
    static HealthPort open(EventLoops loops, InetSocketAddress listen) throws IOException {
        return new HealthPort(loops, listen);
    }

    private void take(SocketChannel caller) {
        if (callers.size() == MOST_CALLERS) {
            callers.element().close();
        }
        callers.add(caller);
        ScheduledFuture<?> end = caller.eventLoop().schedule(() -> caller.close(), SECONDS, TimeUnit.SECONDS);
        caller.closeFuture().addListener(closed -> {
            end.cancel(false);
            callers.remove(caller);
        });
        caller.pipeline().addLast(new HealthAnswer());
    }

    /** Where it listens. */
    InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    /** The listeners accept no more. */
    void draining() {
        draining = true;
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
    }

    /** Waits for the end of one request's head, and answers it. */
    private final class HealthAnswer extends SimpleChannelInboundHandler<ByteBuf> {
        private int bytes;
        private int newlines;

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ByteBuf read) {
            bytes += read.readableBytes();
            while (newlines < 2 && read.isReadable()) {
                byte next = read.readByte();
                newlines = next == '\n' ? newlines + 1 : next == '\r' ? newlines : 0;
            }
            if (newlines == 2) {
                answer(ctx);
            } else if (bytes > MOST_BYTES) {
                ctx.close();
            }
        }

        private void answer(ChannelHandlerContext ctx) {
            String status = draining ? "503 Service Unavailable" : "200 OK";
            String body = draining ? "draining\n" : "ok\n";
            String reply = "HTTP/1.1 " + status + "\r\nContent-Type: text/plain\r\nContent-Length: " + body.length()
                    + "\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n" + body;
            ctx.pipeline().remove(this);
            ctx.writeAndFlush(Unpooled.copiedBuffer(reply, StandardCharsets.US_ASCII))
                    .addListener(ChannelFutureListener.CLOSE);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}

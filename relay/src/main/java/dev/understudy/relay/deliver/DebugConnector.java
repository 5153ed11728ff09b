package dev.understudy.relay.deliver;

import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tls.TlsEndHandler;
import dev.understudy.relay.tls.TlsWrites;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Gets one lane its debug socket, however late the debug JVM starts and however many lanes want one.
 *
 * <p>One attempt at a time; what fails or must wait is followed by a call to go on, in which the lane asks again if it
 * still wants to. Confined to its lane loop.
 */
final class DebugConnector {
    private static final long SHORTEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long NO_SOCKET_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final EventLoops loops;
    private final EventLoop loop;
    private final DebugPeer peer;
    private final Runnable goOn;

    private @Nullable DuplexChannel channel;
    private @Nullable ScheduledFuture<?> retry;
    private boolean busy;
    private boolean lacksSocket;
    private boolean cancelled;

    /** Calls {@code goOn} on {@code loop} when there is a channel, and when it is time to ask for it again. */
    DebugConnector(EventLoops loops, EventLoop loop, DebugPeer peer, Runnable goOn) {
        this.loops = loops;
        this.loop = loop;
        this.peer = peer;
        this.goOn = goOn;
    }

    /** The connected channel, or null as long as there is none. */
    @Nullable
    DuplexChannel channel() {
        return channel;
    }

    /** Whether it is a socket that is missing, and not the debug JVM: so it was when that was last tried. */
    boolean lacksSocket() {
        return lacksSocket;
    }

    /** Sees to it that there will be a channel, with a {@code handler} in its pipeline. */
    void connect(Supplier<ChannelHandler> handler) {
        if (busy) {
            return;
        }
        busy = true;
        if (!loops.debugSockets().tryAcquire()) {
            lacksSocket = true;
            retryIn(NO_SOCKET_RETRY_NANOS);
            return;
        }
        long wait = peer.waitBeforeAttempt();
        if (wait > 0) {
            loops.debugSockets().release();
            retryIn(wait);
            return;
        }
        SslHandler tls = peer.secure(loops.allocator());
        ChannelFuture attempt = loops.towardsDebug(loop)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, peer.connectTimeoutMillis())
                .option(ChannelOption.AUTO_CLOSE, false)
                .handler(tls == null ? handler.get() : new Secured(tls, handler.get()))
                .connect(peer.address());
        // Where there was no socket to be had, Netty tells so on a thread of its own.
        attempt.addListener(connected -> onLoop(() -> {
            if (tls == null || !connected.isSuccess()) {
                attempted(attempt.channel(), connected.cause());
            } else {
                tls.handshakeFuture()
                        .addListener(shaken ->
                                attempted(attempt.channel(), outcome(attempt.channel(), tls, shaken.cause())));
            }
        }));
    }

    private void onLoop(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    private @Nullable Throwable outcome(Channel debug, SslHandler tls, @Nullable Throwable failure) {
        if (failure != null) {
            return failure;
        }
        try {
            peer.check(tls);
            return null;
        } catch (SSLException unsuited) {
            debug.close();
            return unsuited;
        }
    }

    private void attempted(Channel attempt, @Nullable Throwable failure) {
        busy = false;
        lacksSocket = failure instanceof ChannelException; // Netty's own, where it got no socket to connect
        if (failure != null) {
            loops.debugSockets().release();
            if (!lacksSocket) {
                peer.missed(failure);
            }
            if (!cancelled) {
                busy = true;
                retryIn(lacksSocket ? NO_SOCKET_RETRY_NANOS : peer.waitBeforeAttempt());
            }
            return;
        }
        peer.reached();
        loops.debugSockets().opened(attempt);
        if (cancelled) {
            attempt.close();
            return;
        }
        channel = (DuplexChannel) attempt;
        if (peer.preface().length > 0 && !TlsWrites.secured(attempt)) {
            channel.writeAndFlush(Unpooled.wrappedBuffer(peer.preface()));
        }
        goOn.run();
    }

    private void retryIn(long nanos) {
        retry = loop.schedule(
                () -> {
                    busy = false;
                    goOn.run();
                },
                Math.max(SHORTEST_RETRY_NANOS, nanos),
                TimeUnit.NANOSECONDS);
    }

    /** The stages of a connection in TLS; what the preface says goes before the handshake, as production gets it. */
    private final class Secured extends ChannelInitializer<Channel> {
        private final SslHandler tls;
        private final ChannelHandler handler;

        Secured(SslHandler tls, ChannelHandler handler) {
            this.tls = tls;
            this.handler = handler;
        }

        @Override
        protected void initChannel(Channel debug) {
            if (peer.preface().length > 0) {
                debug.pipeline().addLast(new Prefaced());
            }
            debug.pipeline().addLast(tls, new TlsEndHandler(tls, false), handler);
        }
    }

    private final class Prefaced extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ctx.writeAndFlush(Unpooled.wrappedBuffer(peer.preface()));
            ctx.fireChannelActive();
        }
    }

    /** No channel is wanted any more; one that is there stays open. */
    void cancel() {
        cancelled = true;
        if (retry != null) {
            retry.cancel(false);
        }
    }
}

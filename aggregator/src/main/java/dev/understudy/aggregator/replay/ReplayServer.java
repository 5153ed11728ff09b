package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.fault.FaultHandler;
import dev.understudy.aggregator.fault.Faults;
import dev.understudy.aggregator.limit.DebugBudget;
import dev.understudy.aggregator.limit.DebugLimit;
import dev.understudy.aggregator.limit.DescriptorHandler;
import dev.understudy.aggregator.limit.HeldMemory;
import dev.understudy.aggregator.limit.PendingOutput;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The port where the debug JVM finds its upstream: listens, and hands each connection to the protocol's handlers. */
public final class ReplayServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ReplayServer.class);

    /**
     * Bytes that a connection takes whatever is said on it: channel, pipeline, session. As much again for its output.
     */
    private static final long CONNECTION = 8 << 10;

    private final Channel server;
    private final int dialledPort;
    private final ChannelGroup open;

    private ReplayServer(Channel server, int dialledPort, ChannelGroup open) {
        this.server = server;
        this.dialledPort = dialledPort;
        this.open = open;
    }

    /**
     * Listens.
     *
     * @param dialledPort the port that the debug JVM dials, if its connections are redirected here; 0 for the one here
     * @param budget what the connections of this and all other upstreams may take
     * @param faults what connections are made to suffer
     * @param callers knows for which exchanges connections ask
     * @throws IOException if the address can't be listened on; the message names it
     */
    public static <R extends RecordedReply> ReplayServer open(
            InetSocketAddress address,
            int dialledPort,
            Replayer<R> replayer,
            UpstreamReplay<R> replay,
            DebugBudget budget,
            Faults faults,
            CallerLookup callers,
            ReplayCounts counts,
            EventLoopGroup loops,
            Class<? extends ServerChannel> type)
            throws IOException {
        ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        ReachedLimits limits = new ReachedLimits(replay.upstream(), counts);
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(type)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        HeldMemory memory = budget.connection(channel, CONNECTION, limit -> limits.add(limit, channel));
                        HeldMemory output = memory.of(channel, CONNECTION);
                        if (!admit(channel, budget, limits) || !memory.hold(0) || !output.hold(0)) {
                            counts.refused.increment();
                            channel.close();
                            return;
                        }
                        open.add(channel);
                        FaultHandler faulty = new FaultHandler();
                        channel.pipeline().addLast(faulty, new PendingOutput(output), new Count(counts));
                        if (!budget.idleTimeout().isZero()) {
                            channel.pipeline().addLast(new IdleTimeout(budget.idleTimeout(), limits));
                        }
                        CallerLookup.Connection caller = channel.remoteAddress() instanceof InetSocketAddress peer
                                        && channel.localAddress() instanceof InetSocketAddress here
                                ? callers.between(peer.getPort(), dialledPort == 0 ? here.getPort() : dialledPort)
                                : null;
                        if (caller != null) {
                            channel.pipeline().addLast(caller);
                        }
                        replayer.replay(
                                channel.pipeline(), replay.holding(memory).over(faulty, faults, caller));
                        channel.pipeline()
                                .addLast(
                                        new DescriptorHandler(limit -> limits.add(limit, channel)),
                                        new Last(replay.upstream(), limits, budget.loginTimeout()));
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on %s for the debug side of %s: %s"
                            .formatted(address, replay.upstream(), bound.cause().getMessage()),
                    bound.cause());
        }
        int here = ((InetSocketAddress) bound.channel().localAddress()).getPort();
        return new ReplayServer(bound.channel(), dialledPort == 0 ? here : dialledPort, open);
    }

    /** Where it listens, with the port that was chosen if 0 was asked for. */
    public SocketAddress address() {
        return server.localAddress();
    }

    /** The port that the debug JVM dials. */
    public int dialledPort() {
        return dialledPort;
    }

    /** Stops listening and closes the debug connections. */
    @Override
    public void close() {
        server.close().awaitUninterruptibly();
        open.forEach(channel -> channel.eventLoop().execute(() -> DebugBudget.closeNow(channel)));
        open.newCloseFuture().awaitUninterruptibly();
    }

    /** Takes a place for one more connection until it is closed; false if there is none left. */
    private static boolean admit(Channel channel, DebugBudget budget, ReachedLimits limits) {
        DebugLimit reached = budget.open(channel);
        if (reached != null) {
            limits.add(reached, channel);
        }
        return reached == null;
    }

    /** Closes a connection on which nothing was said in either direction for too long. */
    private static final class IdleTimeout extends IdleStateHandler {
        private final ReachedLimits limits;

        IdleTimeout(Duration timeout, ReachedLimits limits) {
            super(0, 0, timeout.toMillis(), TimeUnit.MILLISECONDS);
            this.limits = limits;
        }

        @Override
        protected void channelIdle(ChannelHandlerContext ctx, IdleStateEvent event) {
            limits.add(DebugLimit.IDLE_TIME, ctx.channel());
            DebugBudget.closeNow(ctx.channel());
        }
    }

    private static final class Count extends ChannelInboundHandlerAdapter {
        private final ReplayCounts counts;

        Count(ReplayCounts counts) {
            this.counts = counts;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            counts.connections.increment();
            ctx.fireChannelActive();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            counts.closed.increment();
            ctx.fireChannelInactive();
        }
    }

    /**
     * Whatever goes wrong on a debug connection ends it, and so does a lack of descriptors, or a login that takes too
     * long.
     */
    private static final class Last extends ChannelInboundHandlerAdapter {
        private final String upstream;
        private final ReachedLimits limits;
        private final Duration loginTimeout;
        private @Nullable Future<?> login;

        Last(String upstream, ReachedLimits limits, Duration loginTimeout) {
            this.upstream = upstream;
            this.limits = limits;
            this.loginTimeout = loginTimeout;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event == DebugLogin.AWAITED && login == null) {
                login = ctx.executor()
                        .schedule(
                                () -> end(ctx, DebugLimit.LOGIN_TIME), loginTimeout.toMillis(), TimeUnit.MILLISECONDS);
            } else if (event == DebugLogin.DONE) {
                stopTimer();
            } else {
                ctx.fireUserEventTriggered(event);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            stopTimer();
            ctx.fireChannelInactive();
        }

        private void end(ChannelHandlerContext ctx, DebugLimit limit) {
            limits.add(limit, ctx.channel());
            DebugBudget.closeNow(ctx.channel());
        }

        private void stopTimer() {
            if (login != null) {
                login.cancel(false);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (cause instanceof IOException) {
                log.debug("upstream {}: debug connection {} broke: {}", upstream, ctx.channel(), cause.getMessage());
            } else {
                log.warn("upstream {}: debug connection {} closed by an error", upstream, ctx.channel(), cause);
            }
            ctx.close();
        }
    }
}

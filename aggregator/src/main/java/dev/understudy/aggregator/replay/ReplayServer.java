package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.exchange.Reply;
import dev.understudy.aggregator.fault.FaultHandler;
import dev.understudy.aggregator.fault.Faults;
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
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The port where the debug JVM finds its upstream: listens, and hands each connection to the protocol's handlers. */
public final class ReplayServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ReplayServer.class);

    /** Open at a time; a debug JVM that loses connections must not use up the descriptors that production needs. */
    private static final int MAX_CONNECTIONS = 1_000;

    private final Channel server;
    private final ChannelGroup open;

    private ReplayServer(Channel server, ChannelGroup open) {
        this.server = server;
        this.open = open;
    }

    /**
     * Listens.
     *
     * @param faults what connections are made to suffer
     * @throws IOException if the address can't be listened on; the message names it
     */
    public static <R extends Reply> ReplayServer open(
            InetSocketAddress address,
            Replayer<R> replayer,
            Replay<R> replay,
            Faults faults,
            ReplayCounts counts,
            EventLoopGroup loops,
            Class<? extends ServerChannel> type)
            throws IOException {
        ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        Overcrowded overcrowded = new Overcrowded(replay.upstream());
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(type)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (open.size() >= MAX_CONNECTIONS) {
                            counts.refused.increment();
                            overcrowded.refuse(channel);
                            return;
                        }
                        open.add(channel);
                        FaultHandler faulty = new FaultHandler();
                        channel.pipeline().addLast(faulty, new Count(counts));
                        replayer.replay(channel.pipeline(), replay.over(faulty, faults));
                        channel.pipeline().addLast(new Last(replay.upstream()));
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
        return new ReplayServer(bound.channel(), open);
    }

    /** Where it listens, with the port that was chosen if 0 was asked for. */
    public SocketAddress address() {
        return server.localAddress();
    }

    /** Stops listening and closes the debug connections. */
    @Override
    public void close() {
        server.close().awaitUninterruptibly();
        open.forEach(channel -> channel.eventLoop().execute(() -> closeNow(channel)));
        open.newCloseFuture().awaitUninterruptibly();
    }

    /** Past the pipeline, in which a fault may hold a close back. */
    private static void closeNow(Channel channel) {
        channel.unsafe().close(channel.unsafe().voidPromise());
    }

    /** Refuses connections, and says so once. */
    private static final class Overcrowded {
        private final String upstream;
        private final AtomicBoolean said = new AtomicBoolean();

        Overcrowded(String upstream) {
            this.upstream = upstream;
        }

        void refuse(Channel channel) {
            channel.close();
            if (!said.getAndSet(true)) {
                log.warn("upstream {}: {} debug connections are open, more are refused", upstream, MAX_CONNECTIONS);
            }
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

    /** Whatever goes wrong on a debug connection ends that connection. */
    private static final class Last extends ChannelInboundHandlerAdapter {
        private final String upstream;

        Last(String upstream) {
            this.upstream = upstream;
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

package dev.understudy.relay.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops accepting while as many connections are open as may be, while they come faster than they may, and for a moment
 * when the process has no file descriptor left; what isn't accepted waits in the kernel's queue.
 *
 * <p>Confined to the event loop of the listening socket.
 */
public final class AcceptHandler extends ChannelInboundHandlerAdapter {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Logger LOG = LoggerFactory.getLogger(AcceptHandler.class);

    private final String listener;
    private final AcceptConfig config;
    private final LongAdder failures;
    private final LongSupplier nanoClock;

    private int open;
    private double tokens;
    private long countedNanos;
    private boolean pausing;
    private boolean failing;

    /** @param failures counts how often a connection couldn't be accepted, or not be given a socket to production */
    public AcceptHandler(String listener, AcceptConfig config, LongAdder failures, LongSupplier nanoClock) {
        this.listener = listener;
        this.config = config;
        this.failures = failures;
        this.nanoClock = nanoClock;
        this.tokens = config.maxRate();
        this.countedNanos = nanoClock.getAsLong();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        open++;
        if (failing && !pausing) {
            failing = false;
            LOG.info("listener {} accepts again", listener);
        }
        if (config.maxRate() > 0) {
            spend(ctx);
        }
        decide(ctx);
        ((Channel) msg).closeFuture().addListener(closed -> {
            if (!ctx.executor().isShuttingDown()) {
                ctx.executor().execute(() -> {
                    open--;
                    decide(ctx);
                });
            }
        });
        ctx.fireChannelRead(msg);
    }

    /** A bucket of one second's connections, which fills as fast as they may come. */
    private void spend(ChannelHandlerContext ctx) {
        long now = nanoClock.getAsLong();
        double rate = config.maxRate();
        tokens = Math.min(rate, tokens + rate * (now - countedNanos) / SECOND) - 1;
        countedNanos = now;
        if (tokens < 1) {
            pause(ctx, (long) (SECOND * (1 - tokens) / rate));
        }
    }

    /** Accepting failed, most often because there are no file descriptors left. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        failures.increment();
        if (!failing) {
            failing = true;
            LOG.warn(
                    "listener {} can't accept and tries again every {} ms: {}",
                    listener,
                    TimeUnit.NANOSECONDS.toMillis(PAUSE_NANOS),
                    root(cause));
        }
        pause(ctx, PAUSE_NANOS);
    }

    private static String root(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    /** Has the listener {@code server} pause as if accepting had failed; may be called on any thread. */
    public static void outOfSockets(Channel server, Throwable cause) {
        ChannelHandlerContext ctx = server.pipeline().context(AcceptHandler.class);
        if (ctx != null && !ctx.executor().isShuttingDown()) {
            ctx.executor().execute(() -> ((AcceptHandler) ctx.handler()).exceptionCaught(ctx, cause));
        }
    }

    private void pause(ChannelHandlerContext ctx, long nanos) {
        if (!pausing) {
            pausing = true;
            ctx.executor()
                    .schedule(
                            () -> {
                                pausing = false;
                                decide(ctx);
                            },
                            nanos,
                            TimeUnit.NANOSECONDS);
        }
        decide(ctx);
    }

    private void decide(ChannelHandlerContext ctx) {
        ctx.channel().config().setAutoRead(open < config.maxConnections() && !pausing);
    }
}

package dev.understudy.aggregator.fault;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Does to one debug connection what was decided: holds requests back, slows replies down, resets, falls silent, closes
 * late. Without a fault everything passes. First in the pipeline; confined to the connection's event loop.
 */
public final class FaultHandler extends ChannelDuplexHandler {
    private final BandwidthLimit trickle = new BandwidthLimit();
    private @Nullable ChannelHandlerContext context;
    private @Nullable ScheduledFuture<?> closing;
    private long closeNanos;
    private boolean silent;

    /**
     * Applies what was decided for the next request.
     *
     * @param go is told when the request is to be looked at, at once if nothing holds it back; never if its connection
     *     ends or falls silent instead
     * @return takes the request back while it is held
     */
    public Runnable apply(Injection injection, Consumer<Injection> go) {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            return () -> {};
        }
        if (!injection.rules().isEmpty()) {
            ctx.channel().flush(); // what was answered before it isn't hit
        }
        if (injection.closeNanos() > 0) {
            closeNanos = injection.closeNanos();
            ctx.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        }
        if (injection.delayNanos() == 0) {
            end(ctx, injection, go);
            return () -> {};
        }
        ScheduledFuture<?> later =
                ctx.executor().schedule(() -> end(ctx, injection, go), injection.delayNanos(), TimeUnit.NANOSECONDS);
        return () -> later.cancel(false);
    }

    private void end(ChannelHandlerContext ctx, Injection injection, Consumer<Injection> go) {
        trickle.rate(injection.bytesPerSecond());
        if (injection.end() instanceof Fault.Reset) {
            ctx.channel().config().setOption(ChannelOption.SO_LINGER, 0);
            ctx.close();
        } else if (injection.end() instanceof Fault.BlackHole) {
            silent = true;
            ctx.channel().config().setAutoRead(true); // what comes is thrown away, and the other side's end noticed
        } else {
            go.accept(injection);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        over();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object data) {
        if (silent) {
            ReferenceCountUtil.release(data);
        } else {
            ctx.fireChannelRead(data);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (silent) {
            ctx.channel().config().setAutoRead(true); // many requests may wait that are never answered
        } else {
            ctx.fireChannelReadComplete();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent && closeNanos > 0) {
            close(ctx, ctx.newPromise());
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        over();
        ctx.fireChannelInactive();
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object data, ChannelPromise promise) {
        if (silent) {
            ReferenceCountUtil.release(data); // what the server would say unasked
            promise.trySuccess();
        } else if (data instanceof ByteBuf bytes && trickle.takes()) {
            trickle.add(ctx, bytes, promise);
        } else {
            ctx.write(data, promise);
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        ctx.flush();
        trickle.flow(ctx);
    }

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        if (closeNanos == 0 || silent) {
            trickle.whenEmpty(() -> ctx.close(promise));
        } else if (closing == null) {
            closing = ctx.executor()
                    .schedule(() -> trickle.whenEmpty(() -> ctx.close(promise)), closeNanos, TimeUnit.NANOSECONDS);
        } else {
            ctx.channel().closeFuture().addListener(closed -> promise.trySuccess());
        }
    }

    private void over() {
        trickle.end();
        if (closing != null) {
            closing.cancel(false);
        }
    }
}

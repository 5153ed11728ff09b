package dev.understudy.aggregator.fault;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one connection's replies wait in while there is a limit to their bytes a second: a twentieth of that is sent
 * twenty times a second. The connection isn't writable meanwhile, so that at most the reply that was being written, and
 * what the protocol gathers, waits here. Confined to the connection's event loop.
 */
final class BandwidthLimit {
    private static final int TIMES_A_SECOND = 20;
    private static final int WRITABILITY = 1;

    private final ArrayDeque<Piece> waiting = new ArrayDeque<>();
    private @Nullable ScheduledFuture<?> next;
    private @Nullable Runnable whenEmpty;
    private long rate;

    /** What is added from now on leaves at so many bytes a second; 0 is any number. */
    void rate(long bytesPerSecond) {
        rate = bytesPerSecond;
    }

    boolean takes() {
        return rate > 0 || !waiting.isEmpty();
    }

    /** Takes ownership of {@code bytes}. */
    void add(ChannelHandlerContext ctx, ByteBuf bytes, ChannelPromise promise) {
        waiting.add(new Piece(bytes, promise, rate));
        writable(ctx, false);
    }

    /** Sends what is due. */
    void flow(ChannelHandlerContext ctx) {
        if (next == null && !waiting.isEmpty()) {
            step(ctx);
        }
    }

    /** Runs this once nothing waits any more, at once if so. */
    void whenEmpty(Runnable then) {
        if (waiting.isEmpty()) {
            then.run();
        } else {
            Runnable before = whenEmpty;
            whenEmpty = before == null
                    ? then
                    : () -> {
                        before.run();
                        then.run();
                    };
        }
    }

    /** The connection is over: releases what waits. */
    void end() {
        if (next != null) {
            next.cancel(false);
        }
        for (Piece piece = waiting.poll(); piece != null; piece = waiting.poll()) {
            piece.bytes.release();
            piece.promise.tryFailure(new ClosedChannelException());
        }
    }

    private void step(ChannelHandlerContext ctx) {
        next = null;
        Piece piece = waiting.peek();
        while (piece != null && piece.rate == 0) {
            waiting.remove();
            ctx.write(piece.bytes, piece.promise);
            piece = waiting.peek();
        }
        if (piece != null) {
            int due = (int) Math.min(Integer.MAX_VALUE, Math.max(1, piece.rate / TIMES_A_SECOND));
            int length = piece.bytes.readableBytes();
            if (length <= due) {
                due = length;
                waiting.remove();
                ctx.write(piece.bytes, piece.promise);
            } else {
                ctx.write(piece.bytes.readRetainedSlice(due), ctx.voidPromise());
            }
            long pause = TimeUnit.SECONDS.toNanos(1) * due / piece.rate;
            next = ctx.executor().schedule(() -> step(ctx), pause, TimeUnit.NANOSECONDS);
        } else {
            writable(ctx, true);
            Runnable then = whenEmpty;
            if (then != null) {
                whenEmpty = null;
                then.run();
                return;
            }
        }
        ctx.flush();
    }

    private static void writable(ChannelHandlerContext ctx, boolean writable) {
        ChannelOutboundBuffer buffer = ctx.channel().unsafe().outboundBuffer();
        if (buffer != null) {
            buffer.setUserDefinedWritability(WRITABILITY, writable);
        }
    }

    private record Piece(ByteBuf bytes, ChannelPromise promise, long rate) {}
}

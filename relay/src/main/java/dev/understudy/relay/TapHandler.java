package dev.understudy.relay;

import dev.understudy.relay.tap.Direction;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.LongSupplier;

/**
 * Copies what one socket of a relay reads for the tap, which gets it after the stages below have flushed it to its
 * receiver.
 *
 * <p>A copy is a retained duplicate, except where that would pin far more memory than it carries: reads of less than
 * 2 KiB, or of less than an eighth of their buffer, are really copied.
 */
final class TapHandler extends ChannelInboundHandlerAdapter {
    private static final int SMALL_READ = 2048;

    private final Direction direction;
    private final TapGuard tap;
    private final RelayMetrics metrics;
    private final LongSupplier nanoClock;

    TapHandler(Direction direction, TapGuard tap, RelayMetrics metrics, LongSupplier nanoClock) {
        this.direction = direction;
        this.tap = tap;
        this.metrics = metrics;
        this.nanoClock = nanoClock;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ByteBuf data = (ByteBuf) msg;
        metrics.relayed(direction, data.readableBytes());
        if (tap.listening(direction)) {
            tap.hold(direction, copy(ctx, data), nanoClock.getAsLong());
        }
        ctx.fireChannelRead(data);
    }

    private static ByteBuf copy(ChannelHandlerContext ctx, ByteBuf data) {
        int length = data.readableBytes();
        if (length < Math.max(SMALL_READ, data.capacity() / 8)) {
            return ctx.alloc().buffer(length, length).writeBytes(data, data.readerIndex(), length);
        }
        return data.retainedDuplicate();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.fireChannelReadComplete();
        tap.handOver();
    }
}

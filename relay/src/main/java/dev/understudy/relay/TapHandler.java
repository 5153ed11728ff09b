package dev.understudy.relay;

import dev.understudy.relay.tap.Direction;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Holds what one socket of a relay reads, and hands it to the tap after the stages below have flushed it to its
 * receiver.
 */
final class TapHandler extends ChannelInboundHandlerAdapter {
    private final Direction direction;
    private final TapGuard tap;
    private final RelayMetrics metrics;

    TapHandler(Direction direction, TapGuard tap, RelayMetrics metrics) {
        this.direction = direction;
        this.tap = tap;
        this.metrics = metrics;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ByteBuf data = (ByteBuf) msg;
        metrics.relayed(direction, data.readableBytes());
        tap.hold(direction, data);
        ctx.fireChannelRead(data);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.fireChannelReadComplete();
        tap.handOver();
    }
}

package dev.understudy.relay;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelOutputShutdownEvent;

/**
 * Writes every byte one socket reads to its peer, reading on only while the peer is writable, and tells the relay how the
 * socket ends.
 *
 * <p>Both sockets run on one event loop, so no state here needs to be volatile.
 */
final class ForwardHandler extends ChannelInboundHandlerAdapter {
    private final Relay relay;
    private final Relay.Side side;
    private final Channel peer;

    ForwardHandler(Relay relay, Relay.Side side, Channel peer) {
        this.relay = relay;
        this.side = side;
        this.peer = peer;
    }

    /** What a client sent before it reset comes unasked, maybe before the peer is connected: it waits in the peer's buffer. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        peer.write(msg);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (peer.isActive()) {
            peer.flush();
            if (peer.isWritable()) {
                ctx.read();
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            peer.read();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            relay.inputEnded(side);
        } else if (event == ChannelOutputShutdownEvent.INSTANCE) {
            relay.outputEnded(side);
        } else if (event == EpollOnDemand.HungUp.INSTANCE) {
            relay.hungUp(side);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        relay.failed(side, cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        relay.gone(side);
    }
}

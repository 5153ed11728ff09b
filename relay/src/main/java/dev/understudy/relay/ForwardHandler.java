package dev.understudy.relay;

import dev.understudy.relay.loop.HungUp;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelOutputShutdownEvent;

/**
 * Writes every byte one socket reads to its peer, reading on only while the peer is writable, and tells the relay how
 * the socket ends.
 *
 * <p>Both sockets run on one event loop, so no state here needs to be volatile.
 */
final class ForwardHandler extends ChannelInboundHandlerAdapter {
    private final Relay relay;
    private final Relay.Side side;
    private final Relay.Side peer;

    ForwardHandler(Relay relay, Relay.Side side, Relay.Side peer) {
        this.relay = relay;
        this.side = side;
        this.peer = peer;
    }

    /** What a client sent before it reset comes unasked, maybe before production is connected: the relay keeps it. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        Channel to = peer.channel();
        if (to == null) {
            relay.early((ByteBuf) msg);
        } else {
            to.write(msg);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        Channel to = peer.channel();
        if (to != null && to.isActive()) {
            to.flush();
            if (to.isWritable()) {
                ctx.read();
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Channel to = peer.channel();
        if (to != null && ctx.channel().isWritable()) {
            to.read();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            relay.inputEnded(side);
        } else if (event == ChannelOutputShutdownEvent.INSTANCE) {
            relay.outputEnded(side);
        } else if (event == HungUp.INSTANCE) {
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

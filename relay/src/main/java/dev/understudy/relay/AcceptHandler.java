package dev.understudy.relay;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Stops accepting while as many connections are open as may be; the rest waits in the kernel's queue.
 *
 * <p>Confined to the event loop of the listening socket.
 */
final class AcceptHandler extends ChannelInboundHandlerAdapter {
    private final int most;
    private int open;

    AcceptHandler(int most) {
        this.most = most;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        open++;
        if (open >= most) {
            ctx.channel().config().setAutoRead(false);
        }
        ((Channel) msg).closeFuture().addListener(closed -> {
            if (!ctx.executor().isShuttingDown()) {
                ctx.executor().execute(() -> closed(ctx));
            }
        });
        ctx.fireChannelRead(msg);
    }

    private void closed(ChannelHandlerContext ctx) {
        open--;
        if (open < most) {
            ctx.channel().config().setAutoRead(true);
        }
    }
}

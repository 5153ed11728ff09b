package dev.understudy.aggregator.limit;

import dev.understudy.relay.loop.DebugSockets;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Consumer;

/** Closes a debug connection when its descriptor is needed for production. Confined to its event loop. */
public final class DescriptorHandler extends ChannelInboundHandlerAdapter {
    private final Consumer<DebugLimit> reached;

    /** @param reached is told when that happens */
    public DescriptorHandler(Consumer<DebugLimit> reached) {
        this.reached = reached;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == DebugSockets.GiveBack.INSTANCE) {
            reached.accept(DebugLimit.DESCRIPTORS);
            DebugBudget.closeNow(ctx.channel());
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }
}

package dev.understudy.aggregator.limit;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;

/**
 * Charges what was written to a debug client and hasn't left: a client that doesn't read makes us hold no more than
 * fits. What doesn't fit is dropped, and the connection, or its stream, is closed. Confined to the connection's event
 * loop.
 */
public final class PendingOutput extends ChannelOutboundHandlerAdapter {
    /** Memory of a write besides its bytes: buffers, their views, the entry in the channel's queue, the promise. */
    private static final long PER_WRITE = 384;

    private final HeldMemory memory;
    private long pending;

    /** @param memory for nothing else */
    public PendingOutput(HeldMemory memory) {
        this.memory = memory;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object data, ChannelPromise promise) {
        long bytes = PER_WRITE + (data instanceof ByteBuf buffer ? buffer.readableBytes() : 0);
        ChannelPromise told = promise.unvoid();
        if (!memory.hold(pending + bytes)) {
            ReferenceCountUtil.release(data);
            told.tryFailure(new IOException("the debug client doesn't read, and no more output may wait for it"));
            DebugBudget.closeNow(ctx.channel());
            return;
        }
        pending += bytes;
        told.addListener(done -> {
            pending -= bytes;
            memory.hold(pending);
        });
        ctx.write(data, told);
    }
}

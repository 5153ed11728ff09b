package dev.understudy.relay.control;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;

/**
 * Keeps what has been read until {@link ControlHandler} takes it. The decoder makes a message of each piece that it is
 * given, whether or not the handler is ready; and bytes come unasked for: one read may hold several records of TLS, and
 * a transport may read once more than it was told to.
 *
 * <p>Reads are asked for by the handler only, so it holds a few of them at most. Confined to the control thread.
 */
final class ReadBuffer extends ChannelInboundHandlerAdapter {
    private ByteBuf kept = Unpooled.EMPTY_BUFFER;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object bytes) {
        kept = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), kept, (ByteBuf) bytes);
    }

    /** All that has come since; the caller releases it. */
    ByteBuf take() {
        ByteBuf taken = kept;
        kept = Unpooled.EMPTY_BUFFER;
        return taken;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        take().release();
    }
}

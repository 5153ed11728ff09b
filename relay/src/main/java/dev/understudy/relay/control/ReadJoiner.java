package dev.understudy.relay.control;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;

/**
 * Passes on what one read of the socket was decrypted to as one piece. A read may hold several records of TLS, and the
 * decoder takes a message from each piece, whether or not {@link ControlHandler} is ready for it.
 *
 * <p>Holds no more than one read. Confined to the control thread.
 */
final class ReadJoiner extends ChannelInboundHandlerAdapter {
    private ByteBuf joined = Unpooled.EMPTY_BUFFER;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object decrypted) {
        joined = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), joined, (ByteBuf) decrypted);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ByteBuf whole = joined;
        joined = Unpooled.EMPTY_BUFFER;
        if (whole.isReadable()) {
            ctx.fireChannelRead(whole);
        } else {
            whole.release();
        }
        ctx.fireChannelReadComplete();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        joined.release();
        joined = Unpooled.EMPTY_BUFFER;
    }
}

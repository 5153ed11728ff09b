package dev.understudy.aggregator.replay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import org.jspecify.annotations.Nullable;

/**
 * Makes one write of the short answers that are given between two flushes, as a server's own output buffer does. What
 * is written by other ways keeps its place among them. Confined to the channel's event loop.
 */
public final class Gathering extends ChannelOutboundHandlerAdapter {
    private static final int LONG = 8 * 1024;
    private static final int ENOUGH = 32 * 1024;

    private @Nullable ChannelHandlerContext context;
    private @Nullable ByteBuf gathered;

    /** One more answer. The bytes are neither changed nor, if they are few, kept. */
    public void add(byte[] answer) {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            return; // the connection is over
        }
        if (answer.length > LONG) {
            pass(ctx);
            ctx.write(Unpooled.wrappedBuffer(answer), ctx.voidPromise());
            return;
        }
        ByteBuf out = gathered;
        if (out == null) {
            out = ctx.alloc().buffer(1024);
            gathered = out;
        }
        out.writeBytes(answer);
        if (out.readableBytes() >= ENOUGH) {
            pass(ctx);
        }
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object data, ChannelPromise promise) {
        pass(ctx);
        ctx.write(data, promise);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        pass(ctx);
        ctx.flush();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        context = null;
        if (gathered != null) {
            gathered.release();
            gathered = null;
        }
    }

    private void pass(ChannelHandlerContext ctx) {
        ByteBuf out = gathered;
        if (out != null) {
            gathered = null;
            ctx.write(out, ctx.voidPromise());
        }
    }
}

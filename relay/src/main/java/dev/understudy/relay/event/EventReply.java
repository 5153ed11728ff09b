package dev.understudy.relay.event;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;

/** An HTTP reply of server-sent events that goes on for as long as its caller stays. Confined to its event loop. */
abstract class EventReply extends ChannelInboundHandlerAdapter {
    /** The head is written: events may follow, from now on. */
    abstract void begin(ChannelHandlerContext ctx);

    /** The caller has left; may be called more than once. */
    abstract void stop();

    static void write(ChannelHandlerContext ctx, ByteBuf event) {
        ctx.write(new DefaultHttpContent(event));
    }

    @Override
    public final void handlerAdded(ChannelHandlerContext ctx) {
        DefaultHttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream")
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        ctx.write(head);
        begin(ctx);
    }

    @Override
    public final void channelRead(ChannelHandlerContext ctx, Object ignored) {
        ReferenceCountUtil.release(ignored);
    }

    @Override
    public final void channelInactive(ChannelHandlerContext ctx) {
        stop();
        ctx.fireChannelInactive();
    }

    @Override
    public final void handlerRemoved(ChannelHandlerContext ctx) {
        stop();
    }

    @Override
    public final void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}

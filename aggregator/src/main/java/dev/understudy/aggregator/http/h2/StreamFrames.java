package dev.understudy.aggregator.http.h2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;

/**
 * Puts the bytes that are written on a stream into DATA, so that what stands before this slows bytes down as it does
 * others.
 */
final class StreamFrames extends ChannelOutboundHandlerAdapter {
    private StreamFrames() {}

    static void addTo(ChannelPipeline stream) {
        stream.addLast(new StreamFrames());
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
        ctx.write(msg instanceof ByteBuf bytes ? new DefaultHttp2DataFrame(bytes, false) : msg, promise);
    }
}

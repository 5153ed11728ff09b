package dev.understudy.relay.control;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends one caller a server-sent event at every tick, for as long as it stays.
 *
 * <p>A caller that doesn't read loses events, never gets old ones late, and holds at most Netty's write-buffer mark.
 */
final class EventStream extends ChannelInboundHandlerAdapter {
    private final Duration period;
    private final Supplier<Object> event;
    private @Nullable ScheduledFuture<?> ticks;

    EventStream(Duration period, Supplier<Object> event) {
        this.period = period;
        this.event = event;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        DefaultHttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream")
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        ctx.write(head);
        ticks = ctx.executor().scheduleAtFixedRate(() -> send(ctx), 0, period.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object ignored) {
        ReferenceCountUtil.release(ignored);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        stop();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        stop();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    private void send(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            String json = new String(Reply.bytes(event.get()), StandardCharsets.UTF_8);
            ByteBuf line = Unpooled.copiedBuffer("data: " + json + "\n\n", StandardCharsets.UTF_8);
            ctx.writeAndFlush(new DefaultHttpContent(line));
        }
    }

    private void stop() {
        if (ticks != null) {
            ticks.cancel(false);
        }
    }
}

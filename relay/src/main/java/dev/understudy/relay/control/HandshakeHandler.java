package dev.understudy.relay.control;

import dev.understudy.relay.control.ControlCounts.Reason;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;

/**
 * Holds a connection back until TLS is agreed on: for the stages behind it, it begins then. A handshake that fails, or
 * stops, is counted; the {@link SslHandler} in front ends the connection.
 */
final class HandshakeHandler extends ChannelInboundHandlerAdapter {
    private static final int LONGEST_CAUSE = 200;

    private final ControlCounts counts;

    HandshakeHandler(ControlCounts counts) {
        this.counts = counts;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.read();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (!(event instanceof SslHandshakeCompletionEvent handshake)) {
            ctx.fireUserEventTriggered(event);
        } else if (handshake.isSuccess()) {
            ctx.fireChannelActive();
            ctx.pipeline().remove(this);
        } else {
            counts.count(Reason.HANDSHAKE, ctx.channel().remoteAddress() + " (" + cause(handshake.cause()) + ")");
            if (handshake.cause() instanceof NotSslRecordException) {
                answerInPlainText(ctx);
            }
        }
    }

    private static String cause(Throwable failure) {
        if (failure instanceof NotSslRecordException) {
            return "it sent something else than TLS";
        }
        if (failure instanceof ClosedChannelException) {
            return "it left";
        }
        String message = String.valueOf(failure.getMessage());
        return message.substring(0, Math.min(message.length(), LONGEST_CAUSE));
    }

    /** The failure is counted already. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    /** Whoever spoke plain HTTP can read this; it says nothing that a handshake wouldn't. */
    private static void answerInPlainText(ChannelHandlerContext ctx) {
        Reply reply = Reply.problem(400, "Bad request", "this port speaks TLS (expected: https://)");
        String head = "HTTP/1.1 400 Bad Request\r\ncontent-type: " + reply.contentType() + "\r\ncontent-length: "
                + reply.body().length + "\r\nconnection: close\r\n\r\n";
        ctx.pipeline()
                .context(SslHandler.class)
                .writeAndFlush(Unpooled.wrappedBuffer(head.getBytes(StandardCharsets.US_ASCII), reply.body()));
    }
}

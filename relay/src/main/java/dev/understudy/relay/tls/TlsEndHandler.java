package dev.understudy.relay.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import javax.net.ssl.SSLException;

/**
 * Makes the end of a TLS stream look like the end of a plain one: a {@code close_notify} is a FIN; and what TLS fails
 * with is an I/O error. Stands behind the connection's {@link SslHandler}.
 *
 * <p>A FIN without {@code close_notify} may be an attacker's: from production, whose replies may end with their
 * connection, it counts as a reset. Clients often leave that way, and their requests say themselves where they end:
 * from them it is a FIN. Confined to the connection's event loop.
 */
public final class TlsEndHandler extends ChannelInboundHandlerAdapter {
    private final SslHandler tls;
    private final boolean lenient;
    private boolean ended;

    /** @param lenient whether a FIN alone is an end in good order */
    public TlsEndHandler(SslHandler tls, boolean lenient) {
        this.tls = tls;
        this.lenient = lenient;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslCloseCompletionEvent closed) {
            if (closed.isSuccess()) {
                end(ctx);
            }
        } else if (event == ChannelInputShutdownEvent.INSTANCE) {
            if (!tls.handshakeFuture().isDone()) {
                ctx.close();
            } else if (lenient || ended) {
                end(ctx);
            } else {
                ended = true;
                ctx.fireExceptionCaught(new SSLException("the connection ended without a close_notify"));
            }
        } else if (!(event instanceof SslHandshakeCompletionEvent)) {
            ctx.fireUserEventTriggered(event);
        }
    }

    private void end(ChannelHandlerContext ctx) {
        if (!ended) {
            ended = true;
            ctx.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        boolean wrapped = cause instanceof DecoderException && cause.getCause() instanceof SSLException;
        if (tls.handshakeFuture().isSuccess()) {
            ctx.fireExceptionCaught(wrapped ? cause.getCause() : cause);
        }
    }
}

package dev.understudy.relay.starttls;

import dev.understudy.relay.tls.TlsEndHandler;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Asks a PostgreSQL server for TLS, and gives way to that once it is granted. A server that refuses isn't spoken to:
 * whoever set TLS doesn't want plain text. Confined to the connection's event loop.
 */
public final class StartTlsAsker extends ChannelInboundHandlerAdapter {
    private final SslHandler tls;
    private final Consumer<Throwable> refused;
    private @Nullable ScheduledFuture<?> timer;
    private boolean over;

    /** @param refused is told why there will be no TLS; the connection is closed then */
    public StartTlsAsker(SslHandler tls, Consumer<Throwable> refused) {
        this.tls = tls;
        this.refused = refused;
    }

    /** Asks, once the connection is open. */
    public void ask(ChannelHandlerContext ctx, int timeoutMillis) {
        timer = ctx.executor()
                .schedule(
                        () -> fail(ctx, new SSLException("no answer to the request for TLS")),
                        timeoutMillis,
                        TimeUnit.MILLISECONDS);
        ctx.writeAndFlush(PostgresRequest.write(ctx.alloc().buffer(PostgresRequest.LENGTH)), ctx.voidPromise());
        ctx.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ByteBuf bytes = (ByteBuf) msg;
        int length = bytes.readableBytes();
        char answer = length == 0 ? ' ' : (char) bytes.getUnsignedByte(bytes.readerIndex());
        bytes.release();
        if (answer != 'S') {
            fail(ctx, new SSLException("it refuses TLS"));
        } else if (length > 1) {
            fail(ctx, new SSLException("plain text behind its yes to TLS")); // may be an attacker's (CVE-2021-23222)
        } else {
            over = true;
            stopTimer();
            ctx.pipeline().addAfter(ctx.name(), null, new TlsEndHandler(tls, false));
            ctx.pipeline().addAfter(ctx.name(), null, tls);
            ctx.pipeline().remove(this);
            ctx.channel().read();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(ctx, new IOException("it closed the connection when it was asked for TLS"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(ctx, cause);
    }

    private void fail(ChannelHandlerContext ctx, Throwable why) {
        if (!over) {
            over = true;
            stopTimer();
            refused.accept(why);
            ctx.close();
        }
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}

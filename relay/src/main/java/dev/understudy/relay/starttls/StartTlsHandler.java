package dev.understudy.relay.starttls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers a PostgreSQL client's requests for encryption, and leaves the pipeline once it is clear how the client goes
 * on; its bytes go on to the next stage.
 *
 * <p>Holds one read at most, and ends with exactly one call of {@link Outcome}. Confined to the client's event loop.
 */
public final class StartTlsHandler extends ChannelInboundHandlerAdapter {
    private final boolean offered;
    private final long timeoutMillis;
    private final Outcome outcome;
    private @Nullable ByteBuf seen;
    private @Nullable ScheduledFuture<?> timer;
    private boolean over;

    /** @param offered whether a client that asks for TLS is given it */
    public StartTlsHandler(boolean offered, long timeoutMillis, Outcome outcome) {
        this.offered = offered;
        this.timeoutMillis = timeoutMillis;
        this.outcome = outcome;
    }

    /** How the client goes on; the stages for that are to be added to the pipeline now. */
    public interface Outcome {
        /** In plain text. */
        void plain();

        /** In TLS. */
        void encrypted();

        /** Not at all: it left before it had said anything. */
        void left();

        /** Not in a way that can be relayed, or not in time. */
        void failed();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        timer = ctx.executor().schedule(() -> fail(false), timeoutMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ByteBuf bytes = (ByteBuf) msg;
        if (seen != null) {
            ByteBuf read = bytes;
            bytes = seen.writeBytes(read);
            read.release();
            seen = null;
        }
        while (!over) {
            switch (PostgresRequest.of(bytes)) {
                case UNKNOWN -> {
                    seen = ctx.alloc().buffer(PostgresRequest.LENGTH).writeBytes(bytes);
                    bytes.release();
                    return;
                }
                case GSSAPI -> answer(ctx, bytes, 'N');
                case TLS -> asked(ctx, bytes);
                case BEGUN -> {
                    over(ctx, bytes, offered); // if not, whom it means to speak to will say what it makes of that
                    return;
                }
                case NONE -> {
                    over(ctx, bytes, false);
                    return;
                }
            }
        }
        bytes.release();
    }

    private void asked(ChannelHandlerContext ctx, ByteBuf bytes) {
        if (!offered) {
            answer(ctx, bytes, 'N');
        } else if (bytes.readableBytes() > PostgresRequest.LENGTH) {
            fail(false); // plain text behind the request may be an attacker's (CVE-2021-23214)
        } else {
            answer(ctx, bytes, 'S');
            over = true;
            stopTimer();
            outcome.encrypted();
            ctx.pipeline().remove(this);
        }
    }

    private static void answer(ChannelHandlerContext ctx, ByteBuf bytes, char answer) {
        bytes.skipBytes(PostgresRequest.LENGTH);
        ctx.writeAndFlush(ctx.alloc().buffer(1).writeByte(answer), ctx.voidPromise());
    }

    private void over(ChannelHandlerContext ctx, ByteBuf bytes, boolean encrypted) {
        over = true;
        stopTimer();
        if (encrypted) {
            outcome.encrypted();
        } else {
            outcome.plain();
        }
        ctx.pipeline().remove(this);
        ctx.fireChannelRead(bytes);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (!over) {
            ctx.read();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            fail(seen == null);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(false);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(false);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        stopTimer();
        if (seen != null) {
            seen.release();
            seen = null;
        }
    }

    private void fail(boolean left) {
        if (!over) {
            over = true;
            stopTimer();
            if (left) {
                outcome.left();
            } else {
                outcome.failed();
            }
        }
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}

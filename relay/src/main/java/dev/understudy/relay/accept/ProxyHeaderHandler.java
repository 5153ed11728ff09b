package dev.understudy.relay.accept;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a client's PROXY header, and leaves the pipeline when it is complete; bytes after it go on to the next
 * stage.
 *
 * <p>Reads no more than it needs, holds at most {@value ProxyHeaderReader#LONGEST} bytes and one read, and ends with
 * exactly one call of {@link Outcome}. Confined to the client's event loop.
 */
public final class ProxyHeaderHandler extends ChannelInboundHandlerAdapter {
    private final long timeoutMillis;
    private final Outcome outcome;
    private @Nullable ByteBuf seen;
    private @Nullable ScheduledFuture<?> timer;
    private boolean over;

    public ProxyHeaderHandler(long timeoutMillis, Outcome outcome) {
        this.timeoutMillis = timeoutMillis;
        this.outcome = outcome;
    }

    /** What became of the header. */
    public interface Outcome {
        /** It came; the stages that follow are to be added to the pipeline now. */
        void header(ProxyHeader header);

        /** It won't come. */
        void failed(Failure failure);
    }

    /** Why there is no header. */
    public enum Failure {
        /** What came instead breaks the protocol's rules. */
        MALFORMED,
        /** It wasn't complete in time. */
        LATE,
        /** The client ended the connection before it had sent a byte. */
        LEFT,
        /** The client reset the connection. */
        RESET
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        timer = ctx.executor().schedule(() -> fail(Failure.LATE), timeoutMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.read();
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ByteBuf read = (ByteBuf) msg;
        ByteBuf bytes = read;
        if (seen != null) {
            bytes = seen.writeBytes(read);
            read.release();
            seen = null;
        }
        if (over) {
            bytes.release();
            return;
        }
        try {
            ProxyHeader header = ProxyHeaderReader.read(bytes);
            if (header == null) {
                seen = own(ctx, bytes);
            } else {
                done(ctx, header, bytes);
            }
        } catch (ProxyHeaderReader.Malformed wrong) {
            bytes.release();
            fail(Failure.MALFORMED);
        }
    }

    /** A buffer of ours, so that a slow sender doesn't pin the socket's. */
    private static ByteBuf own(ChannelHandlerContext ctx, ByteBuf bytes) {
        ByteBuf own = ctx.alloc().buffer(bytes.readableBytes()).writeBytes(bytes);
        bytes.release();
        return own;
    }

    private void done(ChannelHandlerContext ctx, ProxyHeader header, ByteBuf rest) {
        over = true;
        stopTimer();
        outcome.header(header);
        ctx.pipeline().remove(this);
        if (rest.isReadable()) {
            ctx.fireChannelRead(rest);
        } else {
            rest.release();
        }
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
            fail(seen == null ? Failure.LEFT : Failure.MALFORMED);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(Failure.RESET);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(Failure.RESET);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        stopTimer();
        if (seen != null) {
            seen.release();
            seen = null;
        }
    }

    private void fail(Failure failure) {
        if (!over) {
            over = true;
            stopTimer();
            outcome.failed(failure);
        }
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}

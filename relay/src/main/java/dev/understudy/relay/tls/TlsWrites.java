package dev.understudy.relay.tls;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;

/** What a relay does to a socket besides writing, in the right order also when the socket speaks TLS. */
public final class TlsWrites {
    private TlsWrites() {}

    private static @Nullable ChannelHandlerContext belowTls(Channel channel) {
        return channel.pipeline().context(SslHandler.class);
    }

    /** Whether it speaks TLS. */
    public static boolean secured(Channel channel) {
        return belowTls(channel) != null;
    }

    /** Done once everything written before is in the kernel's hands, or never will be; called on the channel's loop. */
    public static ChannelFuture flushed(Channel channel) {
        ChannelHandlerContext below = belowTls(channel);
        if (below == null) {
            // A write of nothing is a system call on io_uring, and fails on a Unix socket whose peer has closed.
            ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
            return waiting != null && waiting.totalPendingWriteBytes() == 0
                    ? channel.newSucceededFuture()
                    : channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
        }
        channel.flush();
        return below.writeAndFlush(Unpooled.EMPTY_BUFFER);
    }

    /** Ends the output, after a {@code close_notify} where it is TLS; everything before has been flushed. */
    public static ChannelFuture endOutput(DuplexChannel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            return channel.shutdownOutput();
        }
        ChannelPromise ended = channel.newPromise();
        tls.closeOutbound().addListener(notified -> channel.shutdownOutput(ended));
        return ended;
    }

    /** Closes at once; with a reset if the socket lingers for none, and without a {@code close_notify}. */
    public static void drop(Channel channel) {
        ChannelHandlerContext below = belowTls(channel);
        if (below == null) {
            channel.close();
        } else {
            below.close();
        }
    }
}

package dev.understudy.aggregator.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Tells clients that speak TLS from those that don't by the first byte, on one port: no protocol whose clients speak
 * first begins with that of a TLS record. Stands before the protocol's handlers, and goes away. Confined to its event
 * loop.
 */
public final class FirstByteHandler extends ChannelInboundHandlerAdapter {
    /** The type of a TLS record with a piece of a handshake (RFC 8446, section 5.1). */
    private static final int HANDSHAKE = 0x16;

    private final TlsPort tls;

    public FirstByteHandler(TlsPort tls) {
        this.tls = tls;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object data) {
        if (data instanceof ByteBuf bytes && !bytes.isReadable()) {
            bytes.release();
            return;
        }
        boolean encrypted = data instanceof ByteBuf bytes && bytes.getUnsignedByte(bytes.readerIndex()) == HANDSHAKE;
        if (encrypted) {
            tls.begin(ctx.pipeline());
            ctx.pipeline().remove(this);
            ctx.pipeline().fireChannelRead(data);
        } else {
            ctx.fireChannelRead(data);
            ctx.pipeline().remove(this);
        }
    }
}

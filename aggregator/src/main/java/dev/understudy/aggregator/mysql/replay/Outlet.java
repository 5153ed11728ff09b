package dev.understudy.aggregator.mysql.replay;

import dev.understudy.divergence.wire.mysql.PacketFramer;
import dev.understudy.divergence.wire.mysql.result.Err;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;

/** Writes packets to a debug client, numbered on from the one that it sent last. */
final class Outlet {
    private static final int HEADER = 4;

    private final Channel channel;
    private int sequence;

    Outlet(Channel channel) {
        this.channel = channel;
    }

    /** The next packet follows the client's of this number. */
    void follow(int clients) {
        sequence = clients + 1;
    }

    void write(byte[] payload) {
        int from = 0;
        int part;
        do {
            part = Math.min(PacketFramer.FULL, payload.length - from);
            byte[] header = {(byte) part, (byte) (part >> 8), (byte) (part >> 16), (byte) sequence++};
            channel.write(Unpooled.wrappedBuffer(
                    Unpooled.wrappedBuffer(header, 0, HEADER), Unpooled.wrappedBuffer(payload, from, part)));
            from += part;
        } while (part == PacketFramer.FULL);
    }

    void write(Err error) {
        write(error.encode());
    }

    /** Closes the connection behind what was written. */
    void close() {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
}

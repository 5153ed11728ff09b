package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.replay.Gathering;
import dev.understudy.aggregator.replay.WriteCapacity;
import dev.understudy.divergence.wire.mysql.PacketParts;
import dev.understudy.divergence.wire.mysql.result.Err;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.Arrays;

/** Writes packets to a debug client, numbered on from the one that it sent last. */
final class MySqlOutlet {
    private static final int SEQUENCE = 3;

    private final Channel channel;
    private final Gathering gathering;
    private final WriteCapacity room;
    private int sequence;

    /** @param gathering of the channel's pipeline, so that many rows are one write */
    MySqlOutlet(Channel channel, Gathering gathering) {
        this.channel = channel;
        this.gathering = gathering;
        this.room = new WriteCapacity(channel);
    }

    /** The next packet follows the client's of this number. */
    void follow(int clients) {
        sequence = clients + 1;
    }

    /** The number of the next packet, which is written otherwise. */
    int next() {
        return sequence++ & 0xff;
    }

    /** What this has to do with how fast the client reads. */
    WriteCapacity room() {
        return room;
    }

    /** Writes bytes that are packets already; they are passed on. */
    void pass(ByteBuf packets) {
        channel.write(packets);
    }

    void write(byte[] payload) {
        PacketParts.each(payload.length, (header, from, length) -> {
            header[SEQUENCE] = (byte) next();
            gathering.add(header);
            gathering.add(
                    from == 0 && length == payload.length ? payload : Arrays.copyOfRange(payload, from, from + length));
        });
    }

    void write(Err error) {
        write(error.encode());
    }

    /** Closes the connection behind what was written. */
    void close() {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
}

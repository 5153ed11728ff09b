package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.replay.WriteCapacity;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the messages to the debug client, so that one answer is one write. Confined to the channel's event loop.
 */
final class PgOutlet {
    private static final int ENOUGH = 32 * 1024;

    private final Channel channel;
    private final WriteCapacity room;
    private @Nullable ByteBuf gathered;
    private boolean ended;

    PgOutlet(Channel channel) {
        this.channel = channel;
        this.room = new WriteCapacity(channel);
    }

    /** Behind a fatal error the connection ends, as the server's does. */
    void write(PgMessage message) {
        if (ended) {
            return;
        }
        byte[] body = message.body();
        ByteBuf out = gathered;
        if (out == null) {
            out = channel.alloc().buffer(1024);
            gathered = out;
        }
        out.writeByte(message.type()).writeInt(body.length + 4).writeBytes(body);
        if (PgErrors.isFatal(message)) {
            ended = true;
            close();
        } else if (out.readableBytes() >= ENOUGH) {
            pass();
        }
    }

    /** Writes bytes of a message that isn't written as a whole; they belong to the channel from here on. */
    void write(byte[] stretch) {
        if (ended) {
            return;
        }
        pass();
        channel.write(Unpooled.wrappedBuffer(stretch), channel.voidPromise());
    }

    /** What this has to do with how fast the client reads. */
    WriteCapacity room() {
        return room;
    }

    /** Whether more is on its way to the client than should be. */
    boolean full() {
        return room.full();
    }

    /**
     * Sends what there is.
     *
     * @param later is run once the client has read enough of it, unless that is so at once
     * @return whether {@code later} will be run
     */
    boolean waits(Runnable later) {
        pass();
        return room.waits(later);
    }

    /** The single byte that answers a request for encryption. */
    void writeByte(char answer) {
        channel.writeAndFlush(channel.alloc().buffer(1).writeByte(answer), channel.voidPromise());
    }

    void flush() {
        pass();
        channel.flush();
    }

    void close() {
        flush();
        channel.close();
    }

    /** Frees what nobody will read. */
    void discard() {
        room.leave();
        if (gathered != null) {
            gathered.release();
            gathered = null;
        }
    }

    private void pass() {
        if (gathered != null) {
            channel.write(gathered, channel.voidPromise());
            gathered = null;
        }
    }
}

package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.body.BodyReader;
import dev.understudy.aggregator.body.LargeBody;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a large body to a debug connection as fast as that is read: a piece at a time, and only while the connection
 * is writable, so that a piece or two are in memory. The body is gone afterwards. Confined to the connection's event
 * loop.
 */
public final class BodyPump implements Pump {
    private final Channel channel;
    private final BodyReader reader;
    private final Consumer<ByteBuf> write;
    private final Consumer<Boolean> done;
    private boolean reading;
    private boolean over;

    /**
     * Begins with the first piece at {@link #flow}.
     *
     * @param write writes a piece, which is its to release, to this channel
     * @param done is told once that all was written, or that the rest can't be read back
     */
    public BodyPump(Channel channel, LargeBody body, Consumer<ByteBuf> write, Consumer<Boolean> done) {
        this.channel = channel;
        this.reader = body.read();
        this.write = write;
        this.done = done;
    }

    @Override
    public void flow() {
        if (over || reading) {
            return;
        }
        if (!reader.hasNext()) {
            end(true);
        } else if (channel.isWritable()) {
            reading = true;
            reader.next(channel.eventLoop(), this::read);
        }
    }

    private void read(@Nullable ByteBuf piece) {
        reading = false;
        if (over && piece != null) {
            piece.release();
        } else if (piece == null) {
            end(false);
        } else {
            write.accept(piece);
            channel.flush();
            flow();
        }
    }

    private void end(boolean whole) {
        if (!over) {
            over = true;
            reader.close();
            done.accept(whole);
        }
    }

    @Override
    public void cancel() {
        if (!over) {
            over = true;
            reader.close();
        }
    }
}

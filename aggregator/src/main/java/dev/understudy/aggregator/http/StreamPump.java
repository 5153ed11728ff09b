package dev.understudy.aggregator.http;

import dev.understudy.aggregator.replay.Pump;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.util.function.Consumer;

/**
 * Passes a reply on to a debug connection while production receives it, as fast as that is read. Confined to the
 * connection's event loop.
 */
public final class StreamPump implements Pump {
    private final Channel channel;
    private final LiveBody stream;
    private final Consumer<ByteBuf> write;
    private final Consumer<LiveBody.Ending> done;
    private final Runnable charge;
    private boolean over;

    /**
     * Begins at {@link #begin}.
     *
     * @param write writes a piece, which is its to release, to this channel
     * @param done is called once, with {@link LiveBody.Ending#WHOLE} or {@link LiveBody.Ending#CUT_OFF}; never
     *     for a reply whose end isn't known
     * @param charge is called whenever {@link #heldBytes} may have changed, and may {@link #cancel}
     */
    public StreamPump(
            Channel channel,
            LiveBody stream,
            Consumer<ByteBuf> write,
            Consumer<LiveBody.Ending> done,
            Runnable charge) {
        this.charge = charge;
        this.channel = channel;
        this.stream = stream;
        this.write = write;
        this.done = done;
    }

    /** Passes on what has come, and goes on with what comes. */
    public void begin() {
        channel.flush();
        stream.read(channel.eventLoop(), this::flow);
    }

    @Override
    public void flow() {
        if (over) {
            return;
        }
        stream.look();
        boolean wrote = false;
        while (channel.isWritable()) {
            byte[] piece = stream.poll();
            if (piece == null) {
                break;
            }
            wrote = true;
            write.accept(Unpooled.wrappedBuffer(piece));
        }
        if (wrote) {
            channel.flush();
        }
        charge.run();
        LiveBody.Ending ending = stream.ending();
        if (ending != null && !over) {
            over = true;
            if (ending != LiveBody.Ending.LEFT) {
                done.accept(ending);
            }
        }
    }

    @Override
    public long heldBytes() {
        return stream.heldBytes();
    }

    @Override
    public void cancel() {
        over = true;
        stream.discard();
    }
}

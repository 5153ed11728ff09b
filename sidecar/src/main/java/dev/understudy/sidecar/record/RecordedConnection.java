package dev.understudy.sidecar.record;

import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneObserver;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.stream.BlockWriter;
import dev.understudy.relay.stream.RecordingWriter;
import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what happens on one connection to a recording, a block at a time, and no later than a second after it
 * happened.
 *
 * <p>Two blocks may be on their way to the disk; what comes meanwhile waits in the lane, and is lost, and said to be,
 * when that has no more room. Confined to its lane loop.
 */
final class RecordedConnection implements LaneObserver {
    private static final int BLOCK = 64 << 10;
    private static final int MOST_UNWRITTEN = 2;
    private static final byte[] NOTHING = {};

    private final Lane lane;
    private final RecordingWriter recording;
    private final ByteBufAllocator allocator;
    private @Nullable BlockWriter block;
    private @Nullable ScheduledFuture<?> flush;
    private final Consumer<RecordedConnection> ended;
    private int unwritten;
    private boolean waiting;
    private boolean stopping;
    private boolean over;

    /** @param ended is told once that nothing more will be written of it */
    RecordedConnection(
            Lane lane, RecordingWriter recording, ByteBufAllocator allocator, Consumer<RecordedConnection> ended) {
        this.lane = lane;
        this.recording = recording;
        this.allocator = allocator;
        this.ended = ended;
        TapConnection connection = lane.connection();
        add(StreamEvent.OPENED, connection.acceptedNanos(), connection.client() + " > " + connection.local());
        if (connection.preface().length > 0) {
            add(StreamEvent.PREFACE, connection.acceptedNanos(), connection.preface());
        }
    }

    @Override
    public boolean hasRoom() {
        return over || unwritten < MOST_UNWRITTEN;
    }

    @Override
    public void connected(long nanos) {
        add(StreamEvent.CONNECTED, nanos, NOTHING);
    }

    @Override
    public void data(Direction direction, ByteBuf data, long nanos) {
        StreamEvent event = direction == Direction.REQUEST ? StreamEvent.REQUEST : StreamEvent.REPLY;
        try {
            while (data.isReadable() && !over) {
                BlockWriter open = open();
                int piece = Math.min(open.room(), data.readableBytes());
                if (!lane.budget().tryReserve(open.capacityWith(piece) - open.capacity())) {
                    lane.giveUp(LossReason.OVERFLOW_LANE);
                    return;
                }
                open.add(event, nanos, data, piece);
                flushIfFull();
            }
        } finally {
            data.release();
        }
    }

    @Override
    public void end(Direction direction, long nanos) {
        add(direction == Direction.REQUEST ? StreamEvent.REQUEST_END : StreamEvent.REPLY_END, nanos, NOTHING);
    }

    @Override
    public void closed(CloseReason reason, long nanos) {
        end(reason, nanos);
    }

    @Override
    public void overflowed(LossReason reason, long bytesLost, long nanos) {
        add(StreamEvent.LOST, nanos, reason.name());
        flush();
    }

    @Override
    public void waits(long oldestNanos) {
        waiting = true;
    }

    @Override
    public void waitsNoMore() {
        waiting = false;
        endIfStopping();
    }

    /** The recording stops, once what waits in the lane is written; the connection goes on. */
    void stop() {
        stopping = true;
        endIfStopping();
    }

    private void endIfStopping() {
        if (stopping && !waiting) {
            end(CloseReason.UNTAPPED, System.nanoTime());
        }
    }

    private void end(CloseReason reason, long nanos) {
        if (!over) {
            add(StreamEvent.CLOSED, nanos, reason.name());
            flush();
            over = true;
            ended.accept(this);
        }
    }

    private void add(StreamEvent event, long nanos, String text) {
        add(event, nanos, text.getBytes(StandardCharsets.UTF_8));
    }

    private void add(StreamEvent event, long nanos, byte[] bytes) {
        if (over) {
            return;
        }
        if (block != null && block.room() < bytes.length) {
            flush();
        }
        BlockWriter open = open();
        if (!lane.budget().tryReserve(open.capacityWith(bytes.length) - open.capacity())) {
            flush();
            open = open();
        }
        open.add(event, nanos, Unpooled.wrappedBuffer(bytes), bytes.length);
        flushIfFull();
    }

    /** A block's first kilobyte isn't charged, so that the end can always be told. */
    private BlockWriter open() {
        BlockWriter open = block;
        if (open == null) {
            open = new BlockWriter(allocator, lane.connection().id(), BLOCK);
            block = open;
            flush = lane.loop().schedule(this::flush, 1, TimeUnit.SECONDS);
        }
        return open;
    }

    private void flushIfFull() {
        if (block != null && block.room() < 1) {
            flush();
        }
    }

    private void flush() {
        if (flush != null) {
            flush.cancel(false);
            flush = null;
        }
        BlockWriter full = block;
        if (full == null) {
            return;
        }
        block = null;
        if (full.isEmpty()) {
            full.release();
            return;
        }
        int charge = full.capacity() - BlockWriter.smallest();
        unwritten++;
        recording.append(full.finish(), lane.loop(), () -> {
            unwritten--;
            lane.budget().release(charge);
            lane.resume();
        });
    }
}

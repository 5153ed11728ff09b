package dev.understudy.aggregator.record;

import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.relay.lane.LaneObserver;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds the recorder of one production connection with what its lane hands over, and counts it.
 *
 * <p>Releases each buffer. A recorder that throws, and a lane that overflowed, end the recording of this connection and
 * nothing else. Confined to the lane loop.
 */
public final class RecordingObserver<R extends RecordedReply> implements LaneObserver {
    private static final Logger log = LoggerFactory.getLogger(RecordingObserver.class);

    private final Recording<R> recording;
    private final RecordCounts counts;
    private final MemoryBudget memory;
    private long charged;

    /** Null once the recording is over: what it held is free then, however long the connection goes on. */
    private @Nullable ConnectionRecorder recorder;

    /**
     * Opens the recorder of one connection.
     *
     * @param memory what the unfinished exchanges of all connections may hold together
     */
    public RecordingObserver(Recorder<R> protocol, Recording<R> recording, RecordCounts counts, MemoryBudget memory) {
        this.recording = recording;
        this.counts = counts;
        this.memory = memory;
        counts.connections.increment();
        this.recorder = protocol.open(recording);
    }

    @Override
    public void data(Direction direction, ByteBuf data, long nanos) {
        try {
            boolean request = direction == Direction.REQUEST;
            (request ? counts.requestBytes : counts.replyBytes).add(data.readableBytes());
            for (ByteBuffer bytes : data.nioBuffers()) {
                guarded(told -> {
                    if (request) {
                        told.request(bytes, nanos);
                    } else {
                        told.reply(bytes, nanos);
                    }
                });
            }
        } finally {
            data.release();
        }
        if (recorder != null && recording.isOver()) {
            lost(nanos);
        }
        charge(nanos);
    }

    private void charge(long nanos) {
        ConnectionRecorder open = recorder;
        long held = open == null ? 0 : open.heldBytes();
        if (held <= charged) {
            memory.release(charged - held);
            charged = held;
        } else if (memory.tryReserve(held - charged)) {
            charged = held;
        } else {
            lost(nanos);
            recording.unframed(Unrecorded.RECORDERS_FULL, held + " bytes of unfinished exchanges");
        }
    }

    @Override
    public void end(Direction direction, long nanos) {
        guarded(told -> {
            if (direction == Direction.REQUEST) {
                told.requestEnd(nanos);
            } else {
                told.replyEnd(nanos);
            }
        });
    }

    @Override
    public void overflowed(LossReason reason, long bytesLost, long nanos) {
        Unrecorded why = reason == LossReason.INTERNAL ? Unrecorded.INTERNAL : Unrecorded.LANE_OVERFLOW;
        lost(nanos);
        recording.unframedSince(nanos, why, reason + ", " + bytesLost + " bytes lost");
    }

    @Override
    public void closed(CloseReason reason, long nanos) {
        if (reason == CloseReason.UNTAPPED) {
            // production's connection goes on, and so must its copies
            lost(nanos);
        } else {
            end(nanos);
        }
        recording.closed();
        counts.closed.increment();
    }

    private void end(long nanos) {
        end(told -> told.closed(nanos));
    }

    private void lost(long nanos) {
        end(told -> told.lost(nanos));
    }

    private void end(Consumer<ConnectionRecorder> how) {
        guarded(how);
        over();
    }

    private void over() {
        recorder = null;
        memory.release(charged);
        charged = 0;
    }

    private void guarded(Consumer<ConnectionRecorder> tell) {
        ConnectionRecorder told = recorder;
        if (told == null) {
            return;
        }
        try {
            tell.accept(told);
        } catch (RuntimeException | StackOverflowError e) {
            log.error("production connection {}: recording ends by a defect", recording.connection(), e);
            recording.unframed(Unrecorded.INTERNAL, e.toString());
            leave(told);
            over();
        }
    }

    /** Whoever hears what this connection is told mustn't wait for it any longer. */
    private void leave(ConnectionRecorder told) {
        try {
            told.lost(0);
        } catch (RuntimeException | StackOverflowError e) {
            log.debug("production connection {}: its recorder can't be ended", recording.connection(), e);
        }
    }
}

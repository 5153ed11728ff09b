package dev.understudy.aggregator.record;

import dev.understudy.aggregator.exchange.Reply;
import dev.understudy.relay.lane.LaneObserver;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds the recorder of one production connection with what its lane hands over, and counts it.
 *
 * <p>Releases each buffer. A recorder that throws, and a lane that overflowed, end the recording of this connection and
 * nothing else. Confined to the lane loop.
 */
public final class RecordingObserver<R extends Reply> implements LaneObserver {
    private static final Logger log = LoggerFactory.getLogger(RecordingObserver.class);

    private final Recording<R> recording;
    private final RecordCounts counts;
    private final MemoryBudget memory;
    private final ConnectionRecorder recorder;
    private long charged;
    private boolean over;

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
                guarded(() -> {
                    if (request) {
                        recorder.request(bytes, nanos);
                    } else {
                        recorder.reply(bytes, nanos);
                    }
                });
            }
        } finally {
            data.release();
        }
        charge(nanos);
    }

    private void charge(long nanos) {
        long held = over ? 0 : recorder.heldBytes();
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
        guarded(() -> {
            if (direction == Direction.REQUEST) {
                recorder.requestEnd(nanos);
            } else {
                recorder.replyEnd(nanos);
            }
        });
    }

    @Override
    public void overflowed(LossReason reason, long bytesLost, long nanos) {
        Unrecorded why = reason == LossReason.INTERNAL ? Unrecorded.INTERNAL : Unrecorded.LANE_OVERFLOW;
        lost(nanos);
        recording.unframed(why, reason + ", " + bytesLost + " bytes lost");
    }

    @Override
    public void closed(CloseReason reason, long nanos) {
        end(nanos);
        recording.closed();
        counts.closed.increment();
    }

    private void end(long nanos) {
        end(() -> recorder.closed(nanos));
    }

    private void lost(long nanos) {
        end(() -> recorder.lost(nanos));
    }

    private void end(Runnable told) {
        guarded(told);
        over = true;
        memory.release(charged);
        charged = 0;
    }

    private void guarded(Runnable told) {
        if (over) {
            return;
        }
        try {
            told.run();
        } catch (RuntimeException e) {
            over = true;
            log.error("production connection {}: recording ends by a defect", recording.connection(), e);
            recording.unframed(Unrecorded.INTERNAL, e.toString());
            leave();
        }
    }

    /** Whoever hears what this connection is told mustn't wait for it any longer. */
    private void leave() {
        try {
            recorder.lost(0);
        } catch (RuntimeException e) {
            log.debug("production connection {}: its recorder can't be ended", recording.connection(), e);
        }
    }
}

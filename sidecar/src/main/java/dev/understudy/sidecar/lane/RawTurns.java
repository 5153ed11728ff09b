package dev.understudy.sidecar.lane;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.raw.RawAnswer;
import dev.understudy.divergence.compare.raw.RawComparison;
import dev.understudy.divergence.compare.raw.RawRequest;
import dev.understudy.relay.deliver.DebugEvent;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.label.Place;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Has the bytes of a connection that isn't cut into exchanges compared, and its turns judged and labelled. Confined to
 * its lane loop.
 */
final class RawTurns {
    private final RawComparison comparison;
    private final Judge judge;
    private final String protocol;
    private int port;
    private int before;

    RawTurns(LaneSettings settings, MemoryBudget budget, Judge judge) {
        this.comparison = new RawComparison(settings.maxBody(), new ReplyMemory(budget), this::turn);
        this.judge = judge;
        this.protocol = settings.protocol().toString();
    }

    private void turn(RawRequest asked, @Nullable RawAnswer answer, Verdict verdict) {
        String what = asked.word().isEmpty() ? protocol : protocol + " " + asked.word();
        judge.judgeBytes(verdict, what + ", " + asked.bytes() + " bytes, turn " + asked.number(), id -> {
            if (answer == null) {
                return null;
            }
            String arrival = asked.bytes() == 0 ? "" : "@" + asked.arrivedNanos();
            return judge.outcome(id, what, asked.said(), place(asked), verdict, answer, arrival);
        });
    }

    /** Where debug was told that. */
    private Place place(RawRequest asked) {
        long from = before + asked.from();
        return new Place(port, from, from + asked.bytes());
    }

    /** The client said {@code data} at {@code nanos} of the relay's clock; it stays as it is. */
    void client(ByteBuf data, long nanos) {
        comparison.client(data.nioBuffer(), nanos);
    }

    /** Production said {@code data}; takes ownership of it. */
    void production(ByteBuf data) {
        try {
            comparison.production(data.nioBuffer());
        } finally {
            data.release();
        }
    }

    /** Debug said {@code data}; takes ownership of it. */
    void debug(ByteBuf data, long nanos) {
        try {
            comparison.debug(data.nioBuffer(), nanos);
        } finally {
            data.release();
        }
    }

    /** The client or production says nothing more. */
    void end(Direction direction) {
        if (direction == Direction.REQUEST) {
            comparison.clientEnd();
        } else {
            comparison.productionEnd();
        }
    }

    /** Debug is told that now; as {@link DebugReplyObserver#told}. */
    void told(DebugEvent cue, int port, int before) {
        if (cue instanceof DebugEvent.Bytes bytes) {
            this.port = port;
            this.before = before;
            comparison.told(bytes.data().readableBytes(), System.nanoTime());
        } else {
            comparison.toldEnd();
        }
    }

    void debugEnd() {
        comparison.debugEnd();
    }

    void debugOver(NotCompared reason) {
        comparison.debugOver(reason);
    }

    /** The connection is over in production. */
    void closed(CloseReason reason) {
        switch (reason) {
            case FINISHED -> comparison.productionOver(null);
            case RESET_BY_CLIENT -> comparison.productionOver(NotCompared.CLIENT_CLOSED);
            default -> comparison.productionOver(NotCompared.INCOMPLETE);
        }
    }

    /** What follows isn't known, for {@code reason}. */
    void cut(NotCompared reason) {
        comparison.productionOver(reason);
    }
}

package dev.understudy.sidecar.lane;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.raw.RawComparison;
import dev.understudy.relay.deliver.Cue;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.sidecar.frame.ReplyMemory;
import io.netty.buffer.ByteBuf;

/**
 * Has the bytes of a connection that isn't cut into exchanges compared, and its turns judged. Confined to its lane
 * loop.
 */
final class RawTurns {
    private final RawComparison comparison;
    private final Judge judge;
    private final String protocol;

    RawTurns(LaneSettings settings, MemoryBudget budget, Judge judge) {
        this.comparison = new RawComparison(settings.maxBody(), new ReplyMemory(budget), this::turn);
        this.judge = judge;
        this.protocol = settings.protocol().toString();
    }

    private void turn(long number, String word, long asked, Verdict verdict) {
        String what = word.isEmpty() ? protocol : protocol + " " + word;
        judge.judgeBytes(verdict, what + ", " + asked + " bytes, turn " + number);
    }

    /** The client said {@code data}, which stays as it is. */
    void client(ByteBuf data) {
        comparison.client(data.nioBuffer());
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
    void debug(ByteBuf data) {
        try {
            comparison.debug(data.nioBuffer());
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

    /** Debug is told that now. */
    void told(Cue cue) {
        if (cue instanceof Cue.Bytes bytes) {
            comparison.told(bytes.data().readableBytes());
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

package dev.understudy.relay.lane;

import dev.understudy.relay.tap.Direction;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Why a lane's copy has a hole, since when, and how many bytes fell into it. Safe for use by several threads. */
final class LaneLoss implements Backlog.Lost {
    private final LaneMetrics metrics;
    private final AtomicReference<@Nullable Cause> cause = new AtomicReference<>();
    private final AtomicLong requestBytes = new AtomicLong();
    private final AtomicLong replyBytes = new AtomicLong();

    LaneLoss(LaneMetrics metrics) {
        this.metrics = metrics;
    }

    /** The first cause, which stays. */
    record Cause(LossReason reason, long nanos) {}

    void because(LossReason reason, long nanos) {
        if (cause.compareAndSet(null, new Cause(reason, nanos))) {
            metrics.laneLost(reason);
        }
    }

    @Nullable
    Cause cause() {
        return cause.get();
    }

    LossReason reason() {
        Cause known = cause.get();
        return known == null ? LossReason.NONE : known.reason();
    }

    /** Releases what the entry holds and counts it; the cause is known by then. */
    void drop(TapEntry entry) {
        ByteBuf data = entry.data();
        if (data != null) {
            bytes(entry.direction(), data.readableBytes());
            data.release();
        }
    }

    @Override
    public void bytes(Direction direction, long count) {
        (direction == Direction.REQUEST ? requestBytes : replyBytes).addAndGet(count);
        metrics.bytesLost(reason(), count);
    }

    long bytes(Direction direction) {
        return (direction == Direction.REQUEST ? requestBytes : replyBytes).get();
    }

    long bytes() {
        return requestBytes.get() + replyBytes.get();
    }
}

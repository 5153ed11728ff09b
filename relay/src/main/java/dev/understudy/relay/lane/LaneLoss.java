package dev.understudy.relay.lane;

import dev.understudy.relay.tap.Direction;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Why a lane's copy has a hole, since when, and how many bytes fell into it. Safe for use by several threads; allocates
 * nothing when something is lost, since what is lost is often memory.
 */
final class LaneLoss implements Backlog.Lost {
    private static final long NEVER = Long.MIN_VALUE;

    private final LaneMetrics metrics;
    /** Since when; set before the reason is. */
    private final AtomicLong nanos = new AtomicLong(NEVER);

    private volatile LossReason reason = LossReason.NONE;

    private final AtomicLong requestBytes = new AtomicLong();
    private final AtomicLong replyBytes = new AtomicLong();

    LaneLoss(LaneMetrics metrics) {
        this.metrics = metrics;
    }

    /** The first cause, which stays. */
    record Cause(LossReason reason, long nanos) {}

    void because(LossReason why, long since) {
        if (nanos.compareAndSet(NEVER, since)) {
            reason = why;
            metrics.laneLost(why);
        }
    }

    @Nullable
    Cause cause() {
        return hasHole() ? new Cause(reason, nanos.get()) : null;
    }

    /** Whether anything is lost. */
    boolean hasHole() {
        return reason != LossReason.NONE;
    }

    LossReason reason() {
        return reason;
    }

    /** Releases what the entry holds and counts it; the cause is known by then. */
    void drop(TapEntry entry) {
        drop(entry.direction(), entry.data());
    }

    /** Releases {@code data} and counts what is left of it. */
    void drop(Direction direction, @Nullable ByteBuf data) {
        if (data != null) {
            bytes(direction, data.readableBytes());
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

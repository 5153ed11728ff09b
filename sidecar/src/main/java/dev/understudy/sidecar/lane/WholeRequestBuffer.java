package dev.understudy.sidecar.lane;

import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one request that the debug JVM is told at once, when all of it is there: it may have to be changed where
 * only its end tells what its beginning has to say. Charged to the lane's budget. Confined to its lane loop.
 */
final class WholeRequestBuffer {
    private final MemoryBudget budget;
    private @Nullable Exchange exchange;
    private @Nullable ByteBuf bytes;
    private int most;
    private long charged;
    private long nanos;

    /** What was gathered, owned by whoever has this. */
    record Gathered(Exchange exchange, ByteBuf bytes, long nanos) {}

    WholeRequestBuffer(MemoryBudget budget) {
        this.budget = budget;
    }

    /** What comes of {@code next} is gathered; nothing else is. */
    void begin(Exchange next) {
        exchange = next;
        most = next.request.gathered();
    }

    /** Whether bytes of that exchange are to be {@link #add added}. */
    boolean of(Exchange one) {
        return exchange == one;
    }

    /**
     * Takes ownership of the bytes.
     *
     * @param at when they came; the first ones' time is that of all
     * @return whether more can be gathered
     */
    boolean add(ByteBuf more, long at) {
        ByteBuf all = bytes;
        if (all == null) {
            all = more.alloc().buffer(more.readableBytes());
            bytes = all;
            nanos = at;
        }
        try {
            all.writeBytes(more);
        } finally {
            more.release();
        }
        long charge = all.capacity() - charged;
        if (!budget.tryReserve(charge)) {
            return false;
        }
        charged += charge;
        return all.readableBytes() <= most;
    }

    /** Gives up what was gathered, of which nothing more is; null if there is nothing. */
    @Nullable
    Gathered take() {
        Exchange gathered = exchange;
        ByteBuf all = bytes;
        exchange = null;
        bytes = null;
        budget.release(charged);
        charged = 0;
        return gathered == null || all == null ? null : new Gathered(gathered, all, nanos);
    }
}

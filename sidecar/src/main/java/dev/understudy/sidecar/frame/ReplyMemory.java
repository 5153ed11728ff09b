package dev.understudy.sidecar.frame;

import dev.understudy.divergence.compare.raw.ByteBudget;
import dev.understudy.relay.lane.MemoryBudget;

/**
 * The part of a lane's budget that replies may take while they wait to be compared: half of it, so that input, which
 * goes before comparison, always finds room. Confined to its lane loop.
 */
public final class ReplyMemory implements ByteBudget {
    private final MemoryBudget budget;
    private long used;

    public ReplyMemory(MemoryBudget budget) {
        this.budget = budget;
    }

    @Override
    public boolean tryReserve(long bytes) {
        if (used + bytes > budget.capacity() / 2 || !budget.tryReserve(bytes)) {
            return false;
        }
        used += bytes;
        return true;
    }

    /** Bytes that replies take now. */
    public long used() {
        return used;
    }

    @Override
    public void release(long bytes) {
        used -= bytes;
        budget.release(bytes);
    }
}

package dev.understudy.sidecar.lane;

import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.lane.MemoryBudget;

/**
 * What a connection takes that is over in production and not yet in debug, beside what debug still has to be told: open
 * ones are limited where they are accepted, these by the memory they take. Confined to its lane loop.
 */
final class LeftOver {
    static final int BYTES = 6 << 10;

    private final MemoryBudget budget;
    private boolean taken;

    LeftOver(MemoryBudget budget) {
        this.budget = budget;
    }

    /** Why there is no room for it; {@link LossReason#NONE} if there is. */
    LossReason take() {
        LossReason shortage = budget.reserve(BYTES);
        taken = shortage == LossReason.NONE;
        return shortage;
    }

    void release() {
        if (taken) {
            taken = false;
            budget.release(BYTES);
        }
    }
}

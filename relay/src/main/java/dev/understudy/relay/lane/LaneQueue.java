package dev.understudy.relay.lane;

import dev.understudy.relay.stream.StreamEvent;
import io.netty.buffer.ByteBuf;
import java.util.Queue;
import org.jctools.queues.atomic.SpscChunkedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The way from the relay loop to the lane loop: what is on it is charged against a budget, each entry with the memory
 * it pins and an overhead. Offered to by the one, polled by the other; neither ever waits.
 */
final class LaneQueue {
    /** More entries than this are an overflow, whatever the budget. */
    static final int MAX_ENTRIES = 1 << 16;

    private final MemoryBudget budget;

    // The variant without sun.misc.Unsafe, which newer JDKs warn of.
    private final Queue<TapEntry> entries = new SpscChunkedAtomicArrayQueue<>(8, MAX_ENTRIES);

    LaneQueue(MemoryBudget budget) {
        this.budget = budget;
    }

    /**
     * Adds an event, and takes ownership of {@code data} if there is room. Never throws: what finds no memory is
     * refused like what finds no room.
     *
     * @return why there is no room; {@link LossReason#NONE} if there is
     */
    LossReason offer(StreamEvent event, @Nullable ByteBuf data, long nanos) {
        long reserved = 0;
        boolean queued = false;
        try {
            long charge = Lane.ENTRY_OVERHEAD + (data == null ? 0L : data.capacity());
            LossReason shortage = budget.reserve(charge);
            if (shortage != LossReason.NONE) {
                return shortage;
            }
            reserved = charge;
            queued = entries.offer(new TapEntry(event, data, charge, nanos));
            return queued ? LossReason.NONE : LossReason.OVERFLOW_LANE;
        } catch (Throwable e) {
            return LossReason.INTERNAL;
        } finally {
            if (!queued) {
                budget.release(reserved);
            }
        }
    }

    /** Takes the eldest entry out, which is charged no longer; null if there is none. */
    @Nullable
    TapEntry poll() {
        TapEntry entry = entries.poll();
        if (entry != null) {
            budget.release(entry.charge());
        }
        return entry;
    }

    /** The eldest entry, which stays; null if there is none. */
    @Nullable
    TapEntry peek() {
        return entries.peek();
    }
}

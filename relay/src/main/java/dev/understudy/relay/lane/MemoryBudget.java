package dev.understudy.relay.lane;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts bytes against a limit, and against the limit of a parent that several budgets share.
 *
 * <p>Thread-safe and lock-free. A reservation either succeeds in this budget and all above it, or changes none.
 */
public final class MemoryBudget {
    private final long capacity;
    private final @Nullable MemoryBudget parent;
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong peak = new AtomicLong();

    /**
     * A budget of {@code capacity} bytes.
     *
     * @param parent whose limit holds as well, or null
     */
    public MemoryBudget(long capacity, @Nullable MemoryBudget parent) {
        if (capacity < 0) {
            throw new IllegalArgumentException("capacity: " + capacity + " (expected: >= 0)");
        }
        this.capacity = capacity;
        this.parent = parent;
    }

    /** Reserves {@code bytes}, or nothing if they don't fit here or further up. */
    public boolean tryReserve(long bytes) {
        return reserve(bytes) == LossReason.NONE;
    }

    /**
     * Reserves {@code bytes}, or nothing if they don't fit here or further up.
     *
     * @return what was short: {@link LossReason#NONE} if they are reserved, {@link LossReason#OVERFLOW_LANE} if this
     *     budget refused, {@link LossReason#OVERFLOW_GLOBAL} if one further up did
     */
    public LossReason reserve(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes: " + bytes + " (expected: >= 0)");
        }
        long before;
        do {
            before = used.get();
            if (bytes > capacity - before) {
                return LossReason.OVERFLOW_LANE;
            }
        } while (!used.compareAndSet(before, before + bytes));
        if (parent != null && !parent.tryReserve(bytes)) {
            used.addAndGet(-bytes);
            return LossReason.OVERFLOW_GLOBAL;
        }
        if (before + bytes > peak.get()) {
            peak.accumulateAndGet(before + bytes, Math::max);
        }
        return LossReason.NONE;
    }

    /** Gives back {@code bytes} that were reserved before. */
    public void release(long bytes) {
        used.addAndGet(-bytes);
        if (parent != null) {
            parent.release(bytes);
        }
    }

    /** Bytes reserved now. */
    public long used() {
        return used.get();
    }

    /** The most bytes that were ever reserved at a time. */
    public long peak() {
        return peak.get();
    }

    /** The limit in bytes. */
    public long capacity() {
        return capacity;
    }

    /** How much of what all budgets share is used, 0 to 1. */
    public double pressure() {
        return parent != null ? parent.pressure() : fill();
    }

    /** How much of this budget is used, 0 to 1. */
    public double fill() {
        return capacity == 0 ? 1 : (double) used.get() / capacity;
    }
}

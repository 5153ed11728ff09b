package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Eviction;
import java.util.Map;

/**
 * A journal at one moment.
 *
 * @param exchanges recorded since the start
 * @param unused of them, and of those reloaded, still here and not asked for
 * @param bytes of memory held by the unused ones
 * @param capacityBytes how many bytes they may hold
 * @param evicted how many left unused, by reason; reasons that didn't occur are absent
 * @param disk what lies on disk
 * @param large what of large replies lies in files of its own
 */
public record JournalCounts(
        long exchanges,
        long unused,
        long bytes,
        long capacityBytes,
        Map<Eviction, Long> evicted,
        Disk disk,
        Large large) {

    /**
     * The part of a journal on disk; all zero where it has none.
     *
     * @param unused exchanges whose replies are there
     * @param bytes of its files
     * @param capacityBytes how many bytes those may have
     * @param written replies since the start
     * @param reloaded exchanges that the process before had left
     * @param loading whether what it left is still being read
     * @param trouble why the last write failed; "" if it didn't
     */
    public record Disk(
            long unused, long bytes, long capacityBytes, long written, long reloaded, boolean loading, String trouble) {
        /** No disk. */
        static final Disk NONE = new Disk(0, 0, 0, 0, 0, false, "");
    }

    /**
     * The bodies of large replies; all zero where none are kept.
     *
     * @param unused exchanges that have one
     * @param bytes of its files
     * @param capacityBytes how many bytes those may have
     * @param waitingBytes of memory that wait to be written there
     * @param trouble why the last write failed; "" if it didn't
     */
    public record Large(long unused, long bytes, long capacityBytes, long waitingBytes, String trouble) {
        /** None are kept. */
        static final Large NONE = new Large(0, 0, 0, 0, "");
    }
}

package dev.understudy.aggregator.journal;

import java.util.Map;

/**
 * A journal at one moment.
 *
 * @param exchanges recorded since the start
 * @param unused of them still here and not asked for
 * @param bytes held by the unused ones
 * @param capacityBytes how many bytes they may hold
 * @param evicted how many left unused, by reason; reasons that didn't occur are absent
 */
public record JournalCounts(long exchanges, long unused, long bytes, long capacityBytes, Map<Eviction, Long> evicted) {}

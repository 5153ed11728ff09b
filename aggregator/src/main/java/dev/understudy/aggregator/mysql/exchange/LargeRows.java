package dev.understudy.aggregator.mysql.exchange;

import dev.understudy.aggregator.body.LargeBody;
import java.util.List;

/**
 * Rows of a reply that lie in files, as packets with their headers, those of one result behind those of another.
 *
 * @param counts how many rows of each of the reply's results lie there, which come before those that don't
 */
public record LargeRows(List<Long> counts, LargeBody body) {
    public LargeRows {
        counts = List.copyOf(counts);
    }

    /** How many of this result's rows lie there. */
    public long of(int result) {
        return counts.get(result);
    }
}

package dev.understudy.aggregator.match;

/**
 * A stretch of time on the journal's clock, both ends included.
 *
 * @param to {@link Long#MAX_VALUE} if it isn't over
 */
public record TimeSpan(long from, long to) {

    /** Whether something that began and ended then lies within. */
    public boolean contains(long start, long end) {
        return start >= from && end <= to;
    }

    /** The same of another one. */
    public boolean contains(TimeSpan other) {
        return contains(other.from, other.to);
    }
}

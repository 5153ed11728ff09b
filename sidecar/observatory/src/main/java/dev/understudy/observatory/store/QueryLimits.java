package dev.understudy.observatory.store;

import java.time.Duration;

/**
 * What a query may take.
 *
 * @param time how long, with the reading of its rows; it is cancelled then
 * @param memoryBytes of the database; what doesn't fit goes to {@code diskBytes}
 * @param diskBytes of a temporary folder, which is gone afterwards
 */
public record QueryLimits(Duration time, long memoryBytes, long diskBytes) {
    /** A minute, half a gibibyte, and four on disk. */
    public static final QueryLimits USUAL = new QueryLimits(Duration.ofMinutes(1), 512L << 20, 4L << 30);
}

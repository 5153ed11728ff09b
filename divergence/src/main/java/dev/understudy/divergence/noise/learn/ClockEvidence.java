package dev.understudy.divergence.noise.learn;

import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.content.TimeStamps;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A time is always the same distance from its own exchange, on both sides the same: "in an hour", say. A date of a
 * record doesn't go with the clock, and a time zone that one side gets wrong makes two distances.
 */
final class ClockEvidence implements Evidence {
    private static final Duration TOLERANCE = Duration.ofSeconds(2);
    /** So long it has to go with the clock, or it may be a date that just lies there. */
    private static final Duration LEAST = Duration.ofSeconds(10);

    private @Nullable Duration distance;
    private Instant first = Instant.MAX;
    private Instant last = Instant.MIN;

    @Override
    public boolean observe(Sighting seen) {
        Instant begun = seen.productionSpan().from();
        first = begun.isBefore(first) ? begun : first;
        last = begun.isAfter(last) ? begun : last;
        TimeStamps.Stamp stamp = TimeStamps.stamp(seen.production());
        if (stamp == null) {
            return false;
        }
        if (distance == null) {
            distance = Duration.between(begun, stamp.at());
        }
        return fits(seen);
    }

    @Override
    public boolean proven() {
        return last.isAfter(first) && Duration.between(first, last).compareTo(LEAST) >= 0;
    }

    @Override
    public boolean fits(Sighting seen) {
        return isDistant(seen.production(), seen.productionSpan()) && isDistant(seen.debug(), seen.debugSpan());
    }

    private boolean isDistant(String value, TextSpan span) {
        TimeStamps.Stamp stamp = TimeStamps.stamp(value);
        return stamp != null
                && distance != null
                && span.widened(TOLERANCE).contains(stamp.at().minus(distance));
    }
}

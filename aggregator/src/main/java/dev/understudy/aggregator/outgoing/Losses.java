package dev.understudy.aggregator.outgoing;

import dev.understudy.aggregator.match.TimeSpan;
import java.util.ArrayDeque;

/**
 * When production's calls weren't all recorded. Of old times only the whole stretch is remembered. Guarded by its
 * owner.
 */
final class Losses {
    private static final int KEPT = 256;

    private final ArrayDeque<TimeSpan> spans = new ArrayDeque<>();
    private int blind;
    private long blindSince;

    /** Some calls that ended about now are missing. */
    void lost(long nanos) {
        add(new TimeSpan(nanos, nanos));
    }

    /** All calls of this time may be missing. */
    void lost(TimeSpan time) {
        add(time);
    }

    /** From then on there is one more connection whose calls are missing. */
    void begin(long nanos) {
        blindSince = blind++ == 0 ? nanos : Math.min(blindSince, nanos);
    }

    /** That connection is closed. */
    void end(long nanos) {
        if (--blind == 0) {
            add(new TimeSpan(blindSince, nanos));
        }
    }

    /** Whether a call of this time may be missing. */
    boolean any(TimeSpan time) {
        return (blind > 0 && blindSince <= time.to())
                || spans.stream().anyMatch(lost -> lost.from() <= time.to() && time.from() <= lost.to());
    }

    private void add(TimeSpan lost) {
        spans.addLast(lost);
        if (spans.size() > KEPT) {
            TimeSpan oldest = spans.removeFirst();
            TimeSpan next = spans.removeFirst();
            spans.addFirst(new TimeSpan(Math.min(oldest.from(), next.from()), Math.max(oldest.to(), next.to())));
        }
    }
}

package dev.understudy.aggregator.outgoing;

import dev.understudy.aggregator.match.Span;
import java.util.ArrayDeque;

/**
 * When production's calls weren't all recorded. Of old times only the whole stretch is remembered. Guarded by its
 * owner.
 */
final class Losses {
    private static final int KEPT = 256;

    private final ArrayDeque<Span> spans = new ArrayDeque<>();
    private int blind;
    private long blindSince;

    /** Some calls that ended about now are missing. */
    void lost(long nanos) {
        add(new Span(nanos, nanos));
    }

    /** From now on there is one more connection whose calls are missing. */
    void begin(long nanos) {
        if (blind++ == 0) {
            blindSince = nanos;
        }
    }

    /** That connection is closed. */
    void end(long nanos) {
        if (--blind == 0) {
            add(new Span(blindSince, nanos));
        }
    }

    /** Whether a call of this time may be missing. */
    boolean any(Span time) {
        return (blind > 0 && blindSince <= time.to())
                || spans.stream().anyMatch(lost -> lost.from() <= time.to() && time.from() <= lost.to());
    }

    private void add(Span lost) {
        spans.addLast(lost);
        if (spans.size() > KEPT) {
            Span oldest = spans.removeFirst();
            Span next = spans.removeFirst();
            spans.addFirst(new Span(Math.min(oldest.from(), next.from()), Math.max(oldest.to(), next.to())));
        }
    }
}

package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Random;
import java.util.TreeMap;

/**
 * Some of many runs, each with the same probability, without those before them on their connections, that may be taken
 * back: each draws a number, and those below a bound are kept, which sinks whenever they are too many. Not for several
 * threads.
 */
final class Sample {
    static final int MOST = 1_024;
    /** Predicates that all of them may hold together. */
    static final int ROOM = 1 << 20;

    private final Random random;
    private final TreeMap<Double, Run> kept = new TreeMap<>();
    private final IdentityHashMap<ExchangeOutcome, Double> drawn = new IdentityHashMap<>();
    private double bound = 1;
    private int room;

    /** @param random draws the numbers */
    Sample(Random random) {
        this.random = random;
    }

    void add(Run run) {
        double number = random.nextDouble();
        if (number < bound && kept.putIfAbsent(number, run.alone) == null) {
            drawn.put(run.ending, number);
            room += run.alone.held.length;
            while (kept.size() > MOST || (room > ROOM && kept.size() > 1)) {
                bound = kept.lastKey();
                remove(kept.lastEntry().getValue());
            }
        }
    }

    /** Takes back what was added. */
    void remove(Run run) {
        Double number = drawn.remove(run.ending);
        if (number != null) {
            kept.remove(number);
            room -= run.alone.held.length;
        }
    }

    /** Those that are kept. */
    Collection<Run> runs() {
        return Collections.unmodifiableCollection(kept.values());
    }
}

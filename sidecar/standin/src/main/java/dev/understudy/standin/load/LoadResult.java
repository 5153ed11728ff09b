package dev.understudy.standin.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What load has shown. Immutable.
 *
 * @param total of all routes
 * @param routes in the model's order
 * @param seconds how long it took until the last request was sent, at least as long as told
 * @param connections how many were opened in all
 * @param lateMillis how late the generator itself was, at the 99th percentile
 * @param unfinished how many requests had neither a reply nor an error when it was stopped
 * @param examples what was said about the first error of each kind
 */
public record LoadResult(
        LoadFigures total,
        List<LoadFigures> routes,
        double seconds,
        long connections,
        double lateMillis,
        long unfinished,
        Map<LoadError, String> examples) {
    /** What part of the wanted rate is enough. */
    static final double ENOUGH = 0.95;

    private static final double LATE_MILLIS = 10;

    public LoadResult {
        routes = List.copyOf(routes);
        examples = Map.copyOf(examples);
    }

    /** Whether the load was made: nothing dropped, and at least 95 % of the wanted rate. */
    public boolean isReached() {
        return total.dropped() == 0 && total.reachedPerSecond() >= ENOUGH * total.wantedPerSecond();
    }

    /** Whether the load was made, and each request had a reply. */
    public boolean isFine() {
        return isReached() && total.errorCount() == 0;
    }

    /** What a reader of the figures must know, in sentences. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (lateMillis > LATE_MILLIS) {
            notes.add(String.format(
                    Locale.ROOT,
                    "the generator itself was %.1f ms late at p99: the times are its own, not only the target's",
                    lateMillis));
        }
        if (unfinished > 0) {
            notes.add("it was stopped: " + unfinished + " requests had no reply yet, and aren't counted");
        }
        for (LoadError why : LoadError.values()) {
            String example = examples.get(why);
            if (example != null) {
                notes.add("first " + why.word() + ": " + example);
            }
        }
        return notes;
    }
}

package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which listeners' replies differ so often that differing tells nothing: times and counters that nobody has declared as
 * noise, rather than a failure. Not for several threads.
 */
final class Differing {
    /** Exchanges of a listener, observed or not, that are needed to say so. */
    static final int LEAST = 100;

    private static final double TOO_OFTEN = 0.5;

    private final Map<String, Tally> listeners = new TreeMap<>();

    /**
     * One more exchange has ended, observed or not: which ones are observed, or counted although they weren't, may have
     * to do with failing.
     */
    void add(ExchangeOutcome ending) {
        Tally tally = listeners.computeIfAbsent(ending.listener(), first -> new Tally());
        tally.all++;
        tally.different += ending.different() ? 1 : 0;
    }

    /** It counts as failing, since it differs. */
    void failed(ExchangeOutcome ending) {
        Tally tally = listeners.get(ending.listener());
        if (tally != null) {
            tally.failing++;
        }
    }

    /** Whether so many exchanges of its listener differ that this one's differing tells nothing. */
    boolean tellsNothing(ExchangeOutcome ending) {
        Tally tally = listeners.get(ending.listener());
        return tally != null && tally.isTooOften();
    }

    /** How many exchanges were counted as failing whose differing tells nothing. */
    int failedForNothing() {
        return listeners.values().stream()
                .filter(Tally::isTooOften)
                .mapToInt(tally -> tally.failing)
                .sum();
    }

    /** The share of exchanges that differ, 0 to 1, of each listener of which too many do. */
    Map<String, Double> tooOften() {
        Map<String, Double> shares = new TreeMap<>();
        listeners.forEach((listener, tally) -> {
            if (tally.isTooOften()) {
                shares.put(listener, tally.share());
            }
        });
        return shares;
    }

    private static final class Tally {
        private int all;
        private int different;
        private int failing;

        double share() {
            return (double) different / all;
        }

        boolean isTooOften() {
            return all >= LEAST && share() > TOO_OFTEN;
        }
    }
}

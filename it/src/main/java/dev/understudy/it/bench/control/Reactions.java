package dev.understudy.it.bench.control;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * How many milliseconds it took, each time that a window rose, from the reading that says so to a smaller budget. The
 * controller cuts it at once, but it is told and noted ten times a second. Confined to one thread.
 */
public final class Reactions {
    private static final double TARGET_MILLIS = 250;
    /** So long a window has to be calm before it rises: what rises again soon finds no budget to take. */
    private static final long CALM_MILLIS = 1_000;
    /** What was decided later wasn't decided for that. */
    private static final long PATIENCE_MILLIS = 2_000;

    private final List<Double> millis = new ArrayList<>();

    /**
     * Finds each rise of a session in what was read, and the decision behind it.
     *
     * @param readings in any order, some perhaps twice
     * @param decisions the oldest first
     * @param skipped how many rises at the beginning don't count, while JVMs are cold
     */
    void add(Collection<Reading> readings, List<Decision> decisions, int skipped) {
        TreeMap<Long, Reading> inOrder = new TreeMap<>();
        readings.forEach(reading -> inOrder.put(reading.at(), reading));
        long calmSince = Long.MAX_VALUE;
        int rises = 0;
        boolean open = false;
        for (Reading reading : inOrder.values()) {
            open |= calmSince < reading.at() - CALM_MILLIS;
            calmSince = reading.isCalm() ? Math.min(calmSince, reading.at()) : Long.MAX_VALUE;
            if (open && reading.isRisen()) {
                open = false;
                double budget = budget(decisions, reading.at());
                if (budget > 0 && ++rises > skipped) {
                    millis.add(cut(decisions, reading.at(), budget));
                }
            }
        }
    }

    private static double budget(List<Decision> decisions, long at) {
        double budget = 0;
        for (Decision decision : decisions) {
            budget = decision.at() < at ? decision.budget() : budget;
        }
        return budget;
    }

    private static double cut(List<Decision> decisions, long at, double budget) {
        return decisions.stream()
                .filter(decision -> decision.at() >= at && decision.budget() < budget)
                .mapToDouble(decision -> decision.at() - at)
                .filter(millis -> millis <= PATIENCE_MILLIS)
                .findFirst()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /** How many there were. */
    private int count() {
        return millis.size();
    }

    /** Whether one took longer than promised, or there was none. */
    public boolean missed() {
        return !(worst() <= TARGET_MILLIS);
    }

    private double median() {
        return millis.isEmpty() ? Double.NaN : millis.stream().sorted().toList().get(millis.size() / 2);
    }

    private double worst() {
        return millis.stream().mapToDouble(each -> each).max().orElse(Double.NaN);
    }

    /** The table. */
    public String table() {
        return """
                | budget cut after a reading | times | median | worst | at most | |
                | --- | --- | --- | --- | --- | --- |
                """
                + String.format(
                        Locale.ROOT,
                        "| a burst fills the window | %d | %.0f ms | %.0f ms | %.0f ms | %s |%n",
                        count(),
                        median(),
                        worst(),
                        TARGET_MILLIS,
                        missed() ? "**missed**" : "met");
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d reactions, median %.0f ms, worst %.0f ms", count(), median(), worst());
    }
}

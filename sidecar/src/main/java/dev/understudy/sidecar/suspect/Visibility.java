package dev.understudy.sidecar.suspect;

import java.util.List;

/**
 * In how many of some failing runs each predicate could hold: what is inside of a method only in those since agents
 * look there. Immutable.
 */
final class Visibility {
    private final Methods methods;
    /** How many had failed before each, the fewest first. */
    private final int[] after;

    Visibility(List<Run> runs, Methods methods) {
        this.methods = methods;
        this.after = runs.stream().mapToInt(run -> run.after).sorted().toArray();
    }

    int of(int predicate) {
        int since = methods.since(predicate / Predicate.ROOM);
        int first = 0;
        while (first < after.length && after[first] < since) {
            first++;
        }
        return after.length - first;
    }
}

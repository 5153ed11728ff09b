package dev.understudy.sidecar.suspect;

import java.util.List;

/**
 * A method and what of it goes with failing.
 *
 * @param predicate in words, such as {@code threw}
 * @param importance 0 to 1
 * @param explains failing exchanges in which it held and none that ranks higher did
 * @param alike others that held in nearly the same of them
 * @param example a failing exchange in which it held
 */
public record Suspect(
        String method,
        String predicate,
        double importance,
        double increase,
        double low,
        double high,
        int failing,
        int successful,
        int failingObserved,
        int successfulObserved,
        int explains,
        List<Alike> alike,
        Ending example) {
    public Suspect {
        alike = List.copyOf(alike);
    }

    /** Another predicate that can't be told from a suspect's by the exchanges seen so far. */
    public record Alike(String method, String predicate, double importance) {}
}

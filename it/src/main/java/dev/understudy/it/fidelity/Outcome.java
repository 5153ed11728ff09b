package dev.understudy.it.fidelity;

import java.util.List;

/**
 * What a suite came to.
 *
 * @param mode when the debug side ran
 * @param foreign connections and commands at the real server that weren't production's: there must be none
 * @param told what the aggregator says of its latest misses
 */
public record Outcome(Suite suite, Mode mode, Comparison comparison, long foreign, List<String> told) {
    public Outcome {
        told = List.copyOf(told);
    }

    /** When the debug side runs. */
    public enum Mode {
        /** Once production is through. */
        LATER("later"),
        /** While production is at it, as in a live debugging session. */
        AT_ONCE("at once");

        private final String words;

        Mode(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }
}

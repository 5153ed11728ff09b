package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.LabelRule.Why;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known at one time, of observed exchanges.
 *
 * @param labels the edition of the rules by which they fail
 * @param unknown those whose reply never came
 * @param unlabelled those of whose end nothing was heard
 * @param waiting those of whose end nothing was heard yet
 * @param unnamed those that named a method nobody knows
 * @param counts how many ended how
 * @param least how many of both kinds are needed
 * @param tooDifferent the share of exchanges that differ, 0 to 1, of each listener of which so many do that it
 *     tells nothing
 * @param rules how many exchanges each of the operator's rules held of, by how it is written
 * @param suspects the most suspicious first; empty as long as there are too few exchanges
 * @param unexplained failing ones in which no suspect's predicate held
 */
public record SuspectsReading(
        int labels,
        int failing,
        int successful,
        int unknown,
        int unlabelled,
        int waiting,
        int unnamed,
        Map<Why, Integer> counts,
        int least,
        Map<String, Double> tooDifferent,
        Map<String, Long> rules,
        List<Suspect> suspects,
        int unexplained) {
    /** Why nobody is suspected; null if somebody is. */
    public @Nullable String silence() {
        if (failing == 0) {
            return "no failing exchange was observed among " + successful;
        }
        if (suspects.isEmpty() && !tooDifferent.isEmpty()) {
            return "replies differ too often to tell what fails: " + String.join(", ", tooDifferent.keySet());
        }
        if (failing < least) {
            return failing + " failing exchanges: not enough (expected: at least " + least + ")";
        }
        if (successful < least) {
            return successful + " successful exchanges: not enough (expected: at least " + least + ")";
        }
        return suspects.isEmpty()
                ? "nothing that was observed goes with failing more often than chance would have it"
                : null;
    }
}

package dev.understudy.sidecar.suspect;

import java.util.List;

/**
 * A method with all that speaks for it.
 *
 * @param suspect its best predicate, with counts
 * @param score the weighted sum that it is ranked by
 * @param evidence the numbers that were weighed
 * @param clues what else of it, or by way of it, goes with failing
 * @param context who called it, as far as these run in nearly all good exchanges, too
 */
public record MethodSuspect(
        Suspect suspect, double score, MethodEvidence evidence, List<Clue> clues, List<String> context) {
    public MethodSuspect {
        clues = List.copyOf(clues);
        context = List.copyOf(context);
    }

    /**
     * One more sign.
     *
     * @param words such as {@code returned true}
     * @param importance 0 to 1; of what another method's predicate says that one's
     */
    public record Clue(String words, double importance) {}
}

package dev.understudy.it.bench;

import dev.understudy.it.fidelity.Comparison;
import dev.understudy.it.fidelity.Outcome;
import dev.understudy.it.fidelity.Suite;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes a suite's outcomes as Markdown. */
final class FidelityTable {
    private static final int TOP = 10;
    private static final int LONGEST = 160;

    private final Suite suite;
    private final List<Outcome> outcomes = new ArrayList<>();

    FidelityTable(Suite suite) {
        this.suite = suite;
    }

    void add(Outcome outcome) {
        outcomes.add(outcome);
    }

    /** Answers that no real server gave, and what reached one from the debug side: all that must not be. */
    int wrong() {
        return outcomes.stream()
                .mapToInt(outcome -> outcome.comparison().wrong().size() + (outcome.foreign() == 0 ? 0 : 1))
                .sum();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(suite.about())
                .append(".\n\n| debug side | operations | same result | share | missed | "
                        + "otherwise | not done | wrong answers |"
                        + " from debug at the server |\n| --- | --- | --- | --- | --- "
                        + "| --- | --- | --- | --- |\n");
        outcomes.forEach(outcome -> text.append(row(outcome)));
        for (Outcome outcome : outcomes) {
            Comparison comparison = outcome.comparison();
            comparison
                    .topMisses(TOP)
                    .forEach(miss -> text.append("\n- missed %s, %d times: `%s`"
                            .formatted(outcome.mode().words(), miss.getValue(), line(miss.getKey()))));
            outcome.told().stream()
                    .distinct()
                    .limit(comparison.missed() == 0 ? 0 : 3)
                    .forEach(told -> text.append("\n- the aggregator's word for it, %s: `%s`"
                            .formatted(outcome.mode().words(), line(told))));
            comparison.wrong().stream().limit(TOP).forEach(difference -> text.append(wrong(outcome, difference)));
        }
        return text.toString();
    }

    /** Both results from where they begin to differ. */
    private static String wrong(Outcome outcome, Comparison.Difference difference) {
        String debug = difference.debug().result();
        String production = difference.production();
        int place = 0;
        while (place < Math.min(debug.length(), production.length())
                && debug.charAt(place) == production.charAt(place)) {
            place++;
        }
        int from = Math.max(0, place - 20);
        return "\n- **wrong**, %s: `%s`: `%s` (production: `%s`)"
                .formatted(
                        outcome.mode().words(),
                        line(difference.debug().name()),
                        line(debug.substring(from)),
                        line(production.substring(from)));
    }

    private static String row(Outcome outcome) {
        Comparison comparison = outcome.comparison();
        return String.format(
                Locale.ROOT,
                "| %s | %,d | %,d | %s | %,d | %,d | %,d | %,d | %,d |%n",
                outcome.mode().words(),
                comparison.operations(),
                comparison.same(),
                share(comparison),
                comparison.missed(),
                comparison.otherwise(),
                comparison.lost(),
                comparison.wrong().size(),
                outcome.foreign());
    }

    /** Rounded down, so that 100 % means all. */
    private static String share(Comparison comparison) {
        double percent = Math.floor(comparison.share() * 10_000) / 100;
        return String.format(Locale.ROOT, percent == 100 ? "%.0f %%" : "%.2f %%", percent);
    }

    private static String line(String text) {
        String one = text.replaceAll("[\\s|`]+", " ").strip();
        return one.length() <= LONGEST ? one : one.substring(0, LONGEST) + " …";
    }
}

package dev.understudy.it.bench;

import dev.understudy.it.suites.SuiteComparison;
import dev.understudy.it.suites.SuiteComparison.Kind;
import dev.understudy.it.suites.SuiteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes what became of public drivers' suites as Markdown. */
final class SuitesTable {
    private static final int LONGEST = 160;

    private final List<SuiteOutcome> outcomes = new ArrayList<>();

    void add(SuiteOutcome outcome) {
        outcomes.add(outcome);
    }

    /** What must not be: wrong answers, hangs, and what reached a real server from the debug side. */
    long wrong() {
        return outcomes.stream()
                .mapToLong(outcome -> outcome.comparison().count(Kind.WRONG)
                        + outcome.comparison().count(Kind.HUNG)
                        + (outcome.foreign() == 0 ? 0 : 1))
                .sum();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("| suite | debug side | tests | excluded | same outcome | share "
                + "| failing on both | missed | not run | wrong answers | hangs | from debug at the server |\n"
                + "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
        outcomes.forEach(outcome -> text.append(row(outcome)));
        for (SuiteOutcome outcome : outcomes) {
            outcome.comparison().differences().stream()
                    .filter(difference -> difference.kind() == Kind.WRONG || difference.kind() == Kind.HUNG)
                    .forEach(difference -> text.append("\n- **%s**, %s %s: `%s`"
                            .formatted(
                                    difference.kind().name().toLowerCase(Locale.ROOT),
                                    outcome.suite().name(),
                                    outcome.mode().words(),
                                    line(difference.test()))));
        }
        return text.toString();
    }

    private static String row(SuiteOutcome outcome) {
        SuiteComparison comparison = outcome.comparison();
        return String.format(
                Locale.ROOT,
                "| %s | %s | %,d | %,d | %,d | %.2f %% | %,d | %,d | %,d | %,d | %,d | %,d |%n",
                outcome.suite().about(),
                outcome.mode().words(),
                comparison.tests(),
                comparison.excluded(),
                comparison.same(),
                // rounded down, so that 100 % means all
                Math.floor(comparison.share() * 10_000) / 100,
                comparison.failing(),
                comparison.count(Kind.MISSED),
                comparison.count(Kind.NOT_RUN),
                comparison.count(Kind.WRONG),
                comparison.count(Kind.HUNG),
                outcome.foreign());
    }

    private static String line(String text) {
        String one = text.replaceAll("[\\s|`]+", " ").strip();
        return one.length() <= LONGEST ? one : one.substring(0, LONGEST) + " …";
    }
}

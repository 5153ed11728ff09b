package dev.understudy.it.suites;

import dev.understudy.it.fidelity.server.RefusedCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Production's tests beside debug's of the same name.
 *
 * @param tests that production ran
 * @param excluded of these, those that depend on what no recording can give
 * @param same of the others, those with the same state
 * @param failing of these, those that production failed, too
 */
public record SuiteComparison(int tests, int excluded, int same, int failing, List<Difference> differences) {
    /** How a test came to another state. */
    public enum Kind {
        /** The aggregator had no recorded reply for it, and said so. */
        MISSED,
        /** Never run, since the run ended before. */
        NOT_RUN,
        /** Its time was over: there must be none. */
        HUNG,
        /** No miss explains it, so an answer was wrong: there must be none. */
        WRONG
    }

    /**
     * A test with another state.
     *
     * @param why what it said, or what was missed meanwhile
     */
    public record Difference(Kind kind, String test, TestState production, String why) {}

    private static final List<String> MISSES = List.of(
            "understudy has no recorded reply",
            "understudy can't give the recorded reply",
            "understudy has recorded only a part of this result",
            "understudy: no recorded reply",
            "UNDERSTUDY no recorded reply",
            "UD001",
            "UD002");

    public SuiteComparison {
        differences = List.copyOf(differences);
    }

    static SuiteComparison of(
            String suite,
            List<TestResult> production,
            List<TestResult> debug,
            List<RefusedCall> refused,
            ExcludedTests exclusions) {
        Map<String, TestResult> given = new LinkedHashMap<>();
        debug.forEach(test -> given.put(test.name(), test));
        int excluded = 0;
        int same = 0;
        int failing = 0;
        List<Difference> differences = new ArrayList<>();
        for (TestResult expected : production) {
            TestResult test = given.get(expected.name());
            if (exclusions.reason(suite, expected.name()).isPresent()) {
                excluded++;
            } else if (test == null) {
                differences.add(new Difference(Kind.NOT_RUN, expected.name(), expected.state(), ""));
            } else if (test.state() == expected.state()) {
                same++;
                failing += test.state() == TestState.FAILED ? 1 : 0;
            } else {
                differences.add(difference(expected, test, refused));
            }
        }
        return new SuiteComparison(production.size(), excluded, same, failing, differences);
    }

    private static Difference difference(TestResult expected, TestResult test, List<RefusedCall> refused) {
        List<String> missed = refused.stream()
                .filter(call -> test.spans(call.at()))
                .map(call -> call.form() + " (" + call.why() + ")")
                .toList();
        Kind kind = Kind.WRONG;
        if (test.state() == TestState.HUNG) {
            kind = Kind.HUNG;
        } else if (!missed.isEmpty() || MISSES.stream().anyMatch(test.text()::contains)) {
            kind = Kind.MISSED;
        }
        String why = missed.isEmpty() ? test.text() : String.join("\n", missed) + "\n" + test.text();
        return new Difference(kind, test.name(), expected.state(), why);
    }

    /** How many differences are of that kind. */
    public long count(Kind kind) {
        return differences.stream()
                .filter(difference -> difference.kind() == kind)
                .count();
    }

    /** Of the tests that aren't excluded, how many came to the same, from 0 to 1. */
    public double share() {
        return tests == excluded ? 0 : (double) same / (tests - excluded);
    }
}

package dev.understudy.it.suites;

import dev.understudy.it.suites.SuiteComparison.Difference;

/** All of a run's differences with what the tests said, to look into. */
final class SuiteDifferences {
    private static final int LONGEST = 6000;

    private final SuiteComparison comparison;

    SuiteDifferences(SuiteComparison comparison) {
        this.comparison = comparison;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Difference difference : comparison.differences()) {
            String why = difference.why();
            text.append("==== ")
                    .append(difference.kind())
                    .append(' ')
                    .append(difference.test())
                    .append(" (production: ")
                    .append(difference.production())
                    .append(")\n")
                    .append(why, 0, Math.min(why.length(), LONGEST))
                    .append('\n');
        }
        return text.toString();
    }
}

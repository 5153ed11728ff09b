package dev.understudy.testing;

import dev.understudy.testing.client.CallChange;
import dev.understudy.testing.client.ExchangeVerdict;
import dev.understudy.testing.client.MissedCall;
import dev.understudy.testing.client.ValueDifference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Findings as a developer reads them in a failed test: the request, the place, and both values. */
final class FailureText {
    private static final int MOST = 20;
    private static final int LONGEST_VALUE = 400;

    private FailureText() {}

    /**
     * Throws if there is any problem.
     *
     * @param what all of them mean
     * @throws AssertionError with all of them, and with what is known of the logs
     */
    static void require(String what, List<String> problems, String logs) {
        if (!problems.isEmpty()) {
            throw new AssertionError(what + "\n\n" + String.join("\n\n", problems) + "\n\n" + logs);
        }
    }

    /** Adds a paragraph for each of the first 20, the oldest first. */
    static void verdicts(List<ExchangeVerdict> newest, List<String> problems) {
        for (ExchangeVerdict verdict : oldest(newest, problems)) {
            StringBuilder text = head(verdict.kind(), verdict);
            if (verdict.reason() != null) {
                text.append("\n    reason: ").append(verdict.reason());
            }
            verdict.differences().stream().limit(MOST).forEach(difference -> append(text, difference));
            if (verdict.differences().size() > MOST) {
                text.append("\n    and ")
                        .append(verdict.differences().size() - MOST)
                        .append(" more places");
            }
            problems.add(text.toString());
        }
    }

    /** The same of exchanges whose upstream calls differ. */
    static void calls(List<ExchangeVerdict> newest, List<String> problems) {
        for (ExchangeVerdict verdict : oldest(newest, problems)) {
            StringBuilder text = head("CALLS", verdict);
            for (CallChange call : verdict.calls()) {
                text.append("\n    ").append(call.kind()).append(" to ").append(call.upstream());
                sides(text, call.production(), call.debug());
            }
            problems.add(text.toString());
        }
    }

    /** The same of calls without a recorded reply. */
    static void misses(List<MissedCall> newest, List<String> problems) {
        for (MissedCall miss : oldest(newest, problems)) {
            StringBuilder text = new StringBuilder("MISSED  upstream ")
                    .append(miss.upstream())
                    .append("\n    debug called: ")
                    .append(shortened(miss.form()))
                    .append("\n    ")
                    .append(miss.why());
            miss.nearest()
                    .forEach(form -> text.append("\n    production called: ").append(shortened(form)));
            problems.add(text.toString());
        }
    }

    private static <T> List<T> oldest(List<T> newest, List<String> problems) {
        if (newest.size() > MOST) {
            problems.add("the first " + MOST + " of " + newest.size() + ":");
        }
        List<T> first = newest.subList(Math.max(0, newest.size() - MOST), newest.size());
        return java.util.stream.IntStream.range(0, first.size())
                .mapToObj(i -> first.get(first.size() - 1 - i))
                .toList();
    }

    private static StringBuilder head(String kind, ExchangeVerdict verdict) {
        return new StringBuilder(kind)
                .append("  ")
                .append(verdict.request())
                .append(" (exchange ")
                .append(verdict.exchange())
                .append(')');
    }

    private static void append(StringBuilder text, ValueDifference difference) {
        text.append("\n    ").append(difference.type()).append(' ').append(difference.path());
        sides(text, difference.production(), difference.debug());
    }

    private static void sides(StringBuilder text, @Nullable String production, @Nullable String debug) {
        text.append("\n      production: ").append(production == null ? "(nothing)" : shortened(production));
        text.append("\n      debug:      ").append(debug == null ? "(nothing)" : shortened(debug));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "…";
    }
}

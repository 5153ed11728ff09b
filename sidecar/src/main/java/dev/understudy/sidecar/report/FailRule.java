package dev.understudy.sidecar.report;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What makes a session one that failed: {@code different}, {@code different>5}, {@code not-compared>1%},
 * {@code p99>10%}.
 *
 * @param over it holds if there are more than that
 * @param share whether {@code over} is a percentage
 */
public record FailRule(Subject subject, double over, boolean share) {
    /** What a rule may look like. */
    public static final String EXPECTED =
            "different, not-compared, lost, calls or nothing, with >N or >N% after the first two;"
                    + " p50>N% or p99>N%";

    private static final Pattern RULE = Pattern.compile("([a-z0-9-]+)(?:>([0-9]{1,9}(?:\\.[0-9]{1,6})?)(%?))?");

    /** What is looked at. */
    public enum Subject {
        DIFFERENT,
        NOT_COMPARED,
        LOST,
        CALLS,
        NOTHING,
        P50,
        P99
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static FailRule parse(String raw) {
        Matcher matcher = RULE.matcher(raw.strip());
        if (matcher.matches()) {
            for (Subject subject : Subject.values()) {
                boolean given = matcher.group(2) != null;
                boolean share = given && !matcher.group(3).isEmpty();
                if (word(subject).equals(matcher.group(1)) && fits(subject, given, share)) {
                    return new FailRule(subject, given ? Double.parseDouble(matcher.group(2)) : 0, share);
                }
            }
        }
        throw new IllegalArgumentException(raw + " (expected: " + EXPECTED + ")");
    }

    private static boolean fits(Subject subject, boolean given, boolean share) {
        return switch (subject) {
            case DIFFERENT, NOT_COMPARED -> true;
            case LOST, CALLS, NOTHING -> !given;
            case P50, P99 -> share;
        };
    }

    /** Why the session failed by this rule; null if it didn't. */
    public @Nullable String failure(Report report) {
        for (Report.Part part : report.parts()) {
            String why = failure(part);
            if (why != null) {
                return this + ": " + part.name() + ": " + why;
            }
        }
        long calls = report.session().outgoing().stream()
                .mapToLong(Session.Calls::different)
                .sum();
        return subject == Subject.CALLS && calls > 0
                ? this + ": the upstream calls of " + Report.grouped(calls) + " exchanges differ"
                : null;
    }

    private @Nullable String failure(Report.Part part) {
        return switch (subject) {
            case DIFFERENT -> over(part.verdicts("DIFFERENT"), part.compared(), "differ");
            case NOT_COMPARED ->
                over(
                        part.verdicts("NOT_COMPARED"),
                        part.compared() + part.verdicts("NOT_COMPARED"),
                        "weren't compared");
            case LOST -> part.copy().faithful() ? null : part.copy().fidelity();
            case NOTHING -> part.compared() > 0 ? null : "no exchange was compared";
            case P50 -> slower(part, 50);
            case P99 -> slower(part, 99);
            case CALLS -> null;
        };
    }

    private @Nullable String over(long count, long all, String what) {
        double seen = share ? all == 0 ? 0 : 100.0 * count / all : count;
        return seen > over ? Report.grouped(count) + " of " + Report.grouped(all) + " " + what : null;
    }

    private @Nullable String slower(Report.Part part, double percent) {
        for (var route : part.speeds().entrySet()) {
            if (route.getValue().surelySlower(percent) > over) {
                return route.getKey() + " takes longer: "
                        + Speed.percent(route.getValue().surelySlower(percent) / 100);
            }
        }
        return null;
    }

    private static String word(Subject subject) {
        return subject.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        String number = over == Math.rint(over) ? String.format(Locale.ROOT, "%.0f", over) : String.valueOf(over);
        return word(subject) + (over == 0 && !share ? "" : ">" + number + (share ? "%" : ""));
    }
}

package dev.understudy.sidecar.control;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.relay.control.Call;
import dev.understudy.sidecar.verdict.ExchangeLog.Entry;
import dev.understudy.sidecar.verdict.Judged;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which exchanges a caller wants to see; empty parameters exclude nothing. */
record ExchangeFilter(
        String debug,
        String listener,
        String route,
        Set<VerdictKind> kinds,
        String status,
        boolean failing,
        long since,
        long until,
        String text)
        implements Predicate<Entry> {
    private static final int LONGEST = 200;

    /**
     * Reads it from a call's parameters.
     *
     * @throws IllegalArgumentException if one of them is malformed; the message names it
     */
    static ExchangeFilter of(Call call) {
        String status = call.parameter("status", "").toLowerCase(Locale.ROOT);
        if (!status.isEmpty() && !status.equals("differs") && !status.matches("[1-9](xx|\\d\\d)")) {
            throw new IllegalArgumentException("status: " + status + " (expected: 404, 5xx or differs)");
        }
        return new ExchangeFilter(
                call.parameter("debug", ""),
                call.parameter("listener", ""),
                call.parameter("route", ""),
                kinds(call.parameter("kind", "")),
                status,
                failing(call),
                call.whole("since", 0),
                call.whole("until", Long.MAX_VALUE),
                text(call));
    }

    private static boolean failing(Call call) {
        String failing = call.parameter("failing", "");
        if (!failing.isEmpty() && !failing.equals("true") && !failing.equals("false")) {
            throw new IllegalArgumentException("failing: " + failing + " (expected: true or false)");
        }
        return failing.equals("true");
    }

    private static String text(Call call) {
        String text = call.parameter("text", "").toLowerCase(Locale.ROOT);
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "text: " + text.length() + " characters (expected: at most " + LONGEST + ")");
        }
        return text;
    }

    private static Set<VerdictKind> kinds(String names) {
        Set<VerdictKind> kinds = EnumSet.noneOf(VerdictKind.class);
        for (String name : names.split(",", -1)) {
            if (!name.isEmpty()) {
                kinds.add(kind(name));
            }
        }
        return kinds;
    }

    private static VerdictKind kind(String name) {
        try {
            return VerdictKind.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException(
                    "kind: " + name + " (expected: some of " + Arrays.toString(VerdictKind.values()) + ")", unknown);
        }
    }

    @Override
    public boolean test(Entry entry) {
        Judged judged = entry.judged();
        return (debug.isEmpty() || debug.equals(entry.debug()))
                && (listener.isEmpty() || listener.equals(judged.listener()))
                && (route.isEmpty() || route.equals(entry.route()))
                && (kinds.isEmpty() || kinds.contains(judged.verdict().kind()))
                && (!failing || entry.failing() != null)
                && judged.at() >= since
                && judged.at() <= until
                && fits(judged.productionStatus(), judged.debugStatus())
                && (text.isEmpty() || isIn(judged));
    }

    private boolean fits(int production, int copy) {
        return switch (status) {
            case "" -> true;
            case "differs" -> production != copy;
            default -> fits(production) || fits(copy);
        };
    }

    private boolean fits(int answered) {
        String digits = Integer.toString(answered);
        return status.endsWith("xx")
                ? digits.length() == 3 && digits.charAt(0) == status.charAt(0)
                : digits.equals(status);
    }

    private boolean isIn(Judged judged) {
        if (contains(judged.request()) || text.equals(judged.trace())) {
            return true;
        }
        for (Difference difference : judged.verdict().differences()) {
            if (contains(difference.path()) || contains(difference.production()) || contains(difference.debug())) {
                return true;
            }
        }
        return false;
    }

    private boolean contains(@Nullable String value) {
        return value != null && value.toLowerCase(Locale.ROOT).contains(text);
    }
}

package dev.understudy.sidecar.replay;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which of a recorded connection's exchanges is meant: the third (3), or the one whose request arrived at a time of the
 * recording's clock (@8372412), or of several that arrived in the same read the second (@8372412+1), as
 * {@code /v1/suspects} tells. Where there are no exchanges, a turn: what the client said until it was answered.
 *
 * @param number from 1 on; 0 if it is meant by its arrival
 * @param arrivedNanos when it arrived
 * @param behind how many arrived together with it, before it
 */
public record ReplayFilter(int number, long arrivedNanos, int behind) {
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,8}");
    private static final Pattern ARRIVAL = Pattern.compile("@(-?\\d{1,18})(?:\\+(\\d{1,6}))?");

    /**
     * Reads what is written so.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static ReplayFilter parse(String text) {
        if (NUMBER.matcher(text).matches()) {
            return new ReplayFilter(Integer.parseInt(text), 0, 0);
        }
        Matcher arrival = ARRIVAL.matcher(text);
        if (!arrival.matches()) {
            throw new IllegalArgumentException(text
                    + " (expected: a number from 1 on, or an arrival such as @8372412, as understudy suspects tells)");
        }
        String behind = arrival.group(2);
        return new ReplayFilter(0, Long.parseLong(arrival.group(1)), behind == null ? 0 : Integer.parseInt(behind));
    }

    /** As it is written. */
    @Override
    public String toString() {
        return number > 0 ? "exchange " + number : "exchange @" + arrivedNanos + (behind == 0 ? "" : "+" + behind);
    }
}

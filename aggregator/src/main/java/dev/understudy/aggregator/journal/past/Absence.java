package dev.understudy.aggregator.journal.past;

import java.util.Locale;

/** Why nothing at all was recorded for a request: a sentence for people, which names the remedy. */
public record Absence(String text) {
    private static final double SECOND = 1e9;

    /**
     * The reason.
     *
     * @param underWay whether production's own call is under way
     * @param followed whether it would be known if it were
     * @param waitedNanos how long the request waited
     */
    public static Absence of(boolean underWay, boolean followed, long waitedNanos) {
        if (underWay) {
            return new Absence("production's own call is under way; set `wait` above 0 to wait for its end");
        }
        String begin =
                "production has not sent this request lately" + (followed ? "" : ", or its reply isn't complete");
        if (waitedNanos <= 0) {
            return new Absence(begin);
        }
        String waited = String.format(Locale.ROOT, "%.1f s", waitedNanos / SECOND);
        String remedy = followed ? "is later than debug" : "is late or takes long";
        return new Absence("%s; debug waited %s: if production %s, raise `wait`".formatted(begin, waited, remedy));
    }
}

package dev.understudy.session.debug;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.session.program.AggregatorProgram.CopyCalls;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** How a session fares, in one line: what the copy's replies came to, and how far it is behind. */
final class LiveLine {
    private static final List<String> VERDICTS = List.of("SAME", "EQUIVALENT", "DIFFERENT", "NOT_COMPARED");

    private LiveLine() {}

    /**
     * The line of what {@code /v1/status} answers.
     *
     * @param calls the copy's requests to upstreams that no recorded reply answered
     */
    static String of(JsonNode status, CopyCalls calls) {
        StringJoiner line = new StringJoiner("  ");
        long exchanges = 0;
        long[] counts = new long[VERDICTS.size()];
        for (JsonNode listener : status.path("listeners")) {
            exchanges += listener.path("exchanges").path("production").asLong();
            for (JsonNode debug : listener.path("debugs")) {
                for (int n = 0; n < counts.length; n++) {
                    counts[n] += debug.path("verdicts").path(VERDICTS.get(n)).asLong();
                }
            }
        }
        line.add(exchanges + " exchanges");
        for (int n = 0; n < counts.length; n++) {
            line.add(counts[n] + " " + VERDICTS.get(n));
        }
        for (JsonNode window : status.path("windows")) {
            line.add(String.format(
                    Locale.ROOT,
                    "window %.0f %%  lag %.0f ms",
                    100 * window.path("utilisation").asDouble(),
                    window.path("lagMillis").asDouble()));
        }
        if (calls.live() > 0) {
            line.add(calls.live() + " read live");
        }
        if (calls.missed() > 0) {
            line.add(calls.missed() + " missed upstream");
        }
        return line.toString();
    }
}

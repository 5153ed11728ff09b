package dev.understudy.sidecar.command.ide;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a debug JVM that stops at a breakpoint costs, by a sidecar's status; the console shows the same live. */
final class BreakpointAdvice {
    private BreakpointAdvice() {}

    /** Lines for people. */
    static List<String> lines(JsonNode status) {
        List<String> lines = new ArrayList<>();
        for (JsonNode window : status.path("windows")) {
            long stop = window.path("stopMillis").asLong(-1);
            lines.add(String.format(
                    Locale.ROOT,
                    "%s: the window is %.0f %% full; %s.",
                    window.path("debug").asText(),
                    100 * window.path("utilisation").asDouble(),
                    stop < 0
                            ? "next to nothing arrives, so a stop costs nothing yet"
                            : "if it stops now, input is lost after " + time(stop)));
            lines.add("  A request that stands still for "
                    + time(window.path("replyTimeoutMillis").asLong())
                    + " (window.reply-timeout) isn't compared.");
        }
        lines.add(
                "Let breakpoints suspend their thread only: the others then go on answering, and the agent reporting.");
        lines.add("Production and its clients never wait for a breakpoint in the copy.");
        return lines;
    }

    private static String time(long millis) {
        if (millis < 120_000) {
            return String.format(Locale.ROOT, millis < 10_000 ? "%.1f s" : "%.0f s", millis / 1_000.0);
        }
        long minutes = millis / 60_000;
        return minutes < 180 ? minutes + " min" : minutes / 60 + " h";
    }
}

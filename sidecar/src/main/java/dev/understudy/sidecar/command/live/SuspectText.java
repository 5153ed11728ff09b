package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A method that goes with failing exchanges, in plain sentences. Stateless. */
final class SuspectText {
    private SuspectText() {}

    /** Its lines, with {@code evidence} or without it. */
    static List<String> lines(JsonNode suspect, boolean evidence) {
        List<String> lines = new ArrayList<>();
        lines.add("failing: " + suspect.path("method").asText() + " "
                + suspect.path("predicate").asText());
        lines.add(String.format(
                Locale.ROOT,
                "   so in %d of %d failing exchanges that show it, and in %d of %d successful ones",
                suspect.path("failing").asInt(),
                suspect.path("failingObserved").asInt(),
                suspect.path("successful").asInt(),
                suspect.path("successfulObserved").asInt()));
        JsonNode example = suspect.path("example");
        String said = example.path("said").asText("");
        lines.add("   for example exchange " + example.path("exchange").asLong() + ", "
                + example.path("request").asText() + ", status "
                + example.path("status").asInt() + (said.isEmpty() ? "" : ", " + said));
        if (evidence) {
            addEvidence(suspect, lines);
        }
        return lines;
    }

    private static void addEvidence(JsonNode suspect, List<String> lines) {
        for (JsonNode one : suspect.path("alike")) {
            lines.add("   also: " + one.path("predicate").asText());
        }
        List<String> context = new ArrayList<>();
        suspect.path("context").forEach(one -> context.add(one.asText()));
        if (!context.isEmpty()) {
            lines.add("   called, as in nearly all successful exchanges, by " + String.join(", by ", context));
        }
        lines.add(String.format(
                Locale.ROOT,
                "   score %.2f; importance %.2f; fails %+.0f %% more often (95 %%: %+.0f to %+.0f)",
                suspect.path("score").asDouble(),
                suspect.path("importance").asDouble(),
                100 * suspect.path("increase").asDouble(),
                100 * suspect.path("low").asDouble(),
                100 * suspect.path("high").asDouble()));
        JsonNode example = suspect.path("example");
        String arrival = example.path("arrival").asText("");
        lines.add("   with a recording: understudy replay FILE --connection "
                + example.path("connection").asLong()
                + (arrival.isEmpty() ? "" : " --exchange " + arrival) + " --to HOST:PORT");
    }
}

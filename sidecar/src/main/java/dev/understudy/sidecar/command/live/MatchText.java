package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The aggregator's matches in words. */
final class MatchText {
    private static final int FORM_WIDTH = 100;

    private MatchText() {}

    /** A line for each of {@code /v1/matches}. */
    static List<String> list(JsonNode matches) {
        List<String> lines = new ArrayList<>();
        for (JsonNode match : matches.path("matches")) {
            String by = match.path("by").asText("-") + (match.path("ambiguous").asBoolean() ? "?" : "");
            lines.add("%-6d %-9s %-10s %9.1f ms  %-12s %s"
                    .formatted(
                            match.path("id").asLong(),
                            match.path("outcome").asText(),
                            by,
                            match.path("waitMillis").asDouble(),
                            match.path("upstream").asText(),
                            shortened(match.path("form").asText())));
        }
        if (lines.isEmpty()) {
            lines.add("no such calls are kept");
        }
        return lines;
    }

    /** A line for each kind of calls, and one for its reason and newest examples. */
    static List<String> kinds(JsonNode matches, @Nullable String outcome, int limit) {
        List<String> lines = new ArrayList<>();
        for (JsonNode kind : matches.path("kinds")) {
            if (lines.size() >= 2L * limit
                    || (outcome != null && !outcome.equals(kind.path("outcome").asText()))) {
                continue;
            }
            lines.add("%8d  %-10s %-12s %s"
                    .formatted(
                            kind.path("count").asLong(),
                            kind.path("outcome").asText(),
                            kind.path("upstream").asText(),
                            shortened(kind.path("form").asText())));
            List<String> examples = new ArrayList<>();
            kind.path("examples").forEach(example -> examples.add(example.asText()));
            String why = kind.path("why").asText();
            lines.add("          " + (why.isEmpty() ? "" : why + "; ") + "newest: " + String.join(", ", examples));
        }
        if (lines.isEmpty()) {
            lines.add("there were no such calls");
        }
        return lines;
    }

    /** All that is known of one of them. */
    static List<String> explain(JsonNode match) {
        List<String> lines = new ArrayList<>();
        lines.add("call        %d to %s, at %s"
                .formatted(
                        match.path("id").asLong(),
                        match.path("upstream").asText(),
                        match.path("at").asText()));
        lines.add("form        " + match.path("form").asText());
        if (match.has("rule")) {
            lines.add("counting    " + match.path("rule").asText());
        }
        if (match.has("trace")) {
            lines.add("trace       " + match.path("trace").asText());
        }
        if (match.has("inbound")) {
            lines.add("made for    inbound exchange " + match.path("inbound").asLong());
        }
        lines.add("outcome     " + outcome(match));
        lines.add("waited      %.1f ms".formatted(match.path("waitMillis").asDouble()));
        if (match.has("candidates")) {
            lines.add("candidates  %d unused recorded replies of this form, the one it got included"
                    .formatted(match.path("candidates").asLong()));
        }
        if (match.has("by")) {
            lines.add("decided by  " + decision(match.path("by").asText()));
            if (match.path("ambiguous").asBoolean()) {
                lines.add("            a guess: others with other answers were as good, for all that is known");
            }
        }
        if (match.has("why")) {
            lines.add("why         " + match.path("why").asText());
        }
        int asked = match.path("form").asText().length();
        for (JsonNode near : match.path("nearest")) {
            lines.addAll(near(near, asked));
        }
        return lines;
    }

    private static String outcome(JsonNode match) {
        String outcome = match.path("outcome").asText();
        JsonNode recorded = match.path("recorded");
        String source = recorded.isMissingNode()
                ? ""
                : ", production's exchange %d, on its connection %d"
                        .formatted(
                                recorded.path("exchange").asLong(),
                                recorded.path("connection").asLong());
        String stub = match.has("stub") ? ", stub " + match.path("stub").asText() : "";
        StringBuilder faults = new StringBuilder();
        match.path("faults").forEach(fault -> faults.append(", fault ").append(fault.asText()));
        return outcome + source + stub + faults;
    }

    private static String decision(String basis) {
        return switch (basis) {
            case "TRACE" -> "TRACE: production made its call in the trace of the same inbound exchange";
            case "TRANSACTION" ->
                "TRANSACTION: production made its call in the transaction that gave the other replies";
            case "VALUES" -> "VALUES: of what production got meanwhile, only its values stand in production's reply";
            case "INTERVAL" ->
                "INTERVAL: production made its call while it served an inbound exchange that debug was serving";
            case "ORDER" -> "ORDER: it was the oldest unused reply of this form";
            default -> basis;
        };
    }

    /** A recorded form, and what stands there instead of what was asked. */
    private static List<String> near(JsonNode near, int askedLength) {
        String form = near.path("form").asText();
        String asked = near.path("asked").asText();
        String recorded = near.path("recorded").asText();
        int distance = Math.max(asked.length(), recorded.length());
        List<String> lines = new ArrayList<>();
        lines.add("nearest     " + form);
        lines.add("            differs in %d of %d characters: asked for '%s', recorded '%s'"
                .formatted(distance, Math.max(askedLength, form.length()), asked, recorded));
        List<String> parts = new ArrayList<>();
        near.path("differs").forEach(part -> parts.add(part.asText()));
        if (!parts.isEmpty()) {
            lines.add("            differs in " + String.join(", ", parts));
        }
        return lines;
    }

    private static String shortened(String form) {
        return form.length() <= FORM_WIDTH ? form : form.substring(0, FORM_WIDTH - 1) + "…";
    }
}

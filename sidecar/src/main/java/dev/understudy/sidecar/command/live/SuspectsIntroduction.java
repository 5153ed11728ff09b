package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the list of suspects rests on, why there may be none, and what can be done about that. Stateless. */
final class SuspectsIntroduction {
    private SuspectsIntroduction() {}

    static List<String> lines(JsonNode answer) {
        List<String> lines = new ArrayList<>();
        JsonNode seen = answer.path("exchanges");
        lines.add(String.format(
                Locale.ROOT,
                "observed  %d failing %s, %d successful; %d without a reply that tells, %d of unknown end",
                seen.path("failing").asInt(),
                reasons(answer.path("failingBy")),
                seen.path("successful").asInt(),
                seen.path("unknown").asInt(),
                seen.path("unlabelled").asInt() + seen.path("unnamed").asInt()));
        if (answer.path("silence").isTextual()) {
            lines.add(answer.path("silence").asText());
        }
        answer.path("hints").forEach(hint -> lines.add(hint.asText()));
        return lines;
    }

    private static String reasons(JsonNode failingBy) {
        List<String> reasons = new ArrayList<>();
        failingBy.properties().forEach(reason -> {
            if (reason.getValue().asInt() > 0) {
                reasons.add(reason.getValue().asInt() + " " + reason.getKey());
            }
        });
        return reasons.isEmpty() ? "(none)" : "(" + String.join(", ", reasons) + ")";
    }
}

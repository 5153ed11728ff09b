package dev.understudy.sidecar.command.steer;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** An epoch as a line for people. Stateless. */
public final class EpochLine {
    private EpochLine() {}

    /** How one began, and what came of it: {@code 2 of debug, because of divergence, done; 17 compared, 0 differ}. */
    public static String of(String debug, JsonNode epoch) {
        String problem = epoch.path("problem").asText();
        String patch = epoch.path("patch").asText();
        return epoch.path("epoch").asText() + " of " + debug + ", because of "
                + epoch.path("cause").asText().toLowerCase(Locale.ROOT) + ", "
                + epoch.path("state").asText() + (problem.isEmpty() ? "" : ": " + problem)
                + (patch.isEmpty() ? "" : ", with patch " + patch) + "; "
                + count(epoch.path("compared")) + " compared, "
                + count(epoch.path("different")) + " differ";
    }

    private static String count(JsonNode number) {
        return String.format(Locale.ROOT, "%,d", number.asLong()).replace(',', ' ');
    }
}

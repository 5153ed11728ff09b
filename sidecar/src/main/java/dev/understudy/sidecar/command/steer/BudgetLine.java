package dev.understudy.sidecar.command.steer;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** What an agent may spend on looking, what it spends, and why, in a line. Stateless. */
public final class BudgetLine {
    private BudgetLine() {}

    /** The line about an agent's report, or what the status says of it. */
    public static String of(JsonNode agent) {
        return String.format(
                Locale.ROOT,
                "%s: budget %.3f of %.3f cores, spent %.3f, %.0f samples/s at a price of %.2g; %s",
                agent.path("name").asText(),
                agent.path("budget").asDouble(),
                agent.path("budgetMax").asDouble(),
                agent.path("spent").asDouble(),
                agent.path("samplesPerSecond").asDouble(),
                agent.path("nu").asDouble(),
                agent.path("why").asText());
    }
}

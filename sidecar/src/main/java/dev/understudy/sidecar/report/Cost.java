package dev.understudy.sidecar.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/**
 * What the debug JVM's instrumentation takes of each request's time, on average, by the agent's own measurements.
 *
 * @param micros 0 if it isn't known
 * @param statement what is known, in a sentence
 */
public record Cost(double micros, String statement) {

    /**
     * Reads the agents' last reports.
     *
     * @param agents what {@code /v1/agent} answers
     * @param debugs how many debug JVMs there are: whose an agent is isn't known if there are several
     */
    public static Cost read(JsonNode agents, int debugs) {
        JsonNode all = agents.path("agents");
        if (all.isEmpty()) {
            return new Cost(
                    0, "No agent has reported: what instrumentation costs isn't known, and nothing is taken out.");
        }
        if (all.size() > 1 || debugs > 1) {
            return new Cost(
                    0,
                    "Several debug JVMs or agents: which instrumentation costs whom isn't known; nothing is taken out.");
        }
        JsonNode agent = all.get(0);
        double nanos = 0;
        for (JsonNode method : agent.path("methods")) {
            nanos +=
                    method.path("samples").asDouble() * method.path("costNanos").asDouble();
        }
        double requests = agent.path("exchanges").asDouble();
        if (requests < 1) {
            return new Cost(
                    0, "The agent has seen no request: what instrumentation costs isn't known; nothing is taken out.");
        }
        double micros = nanos / requests / 1000;
        return new Cost(
                micros,
                String.format(
                        Locale.ROOT,
                        "The instrumentation's cost, %.1f µs for each request by the agent's measurements of its most frequent"
                                + " methods (a mean over all routes and the whole run), is taken out of debug's times.",
                        micros));
    }
}

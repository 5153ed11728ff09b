package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.control.Call;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * {@code GET /v1/methods}: the woven methods that agents report of, as far as a text is in their names.
 *
 * <p>Reports may have thousands; a page gets those with the most calls. Confined to the control thread.
 */
public final class MethodsView {
    private static final int USUAL = 50;
    private static final int MOST = 200;
    private static final int MOST_FOUND = 20_000;
    private static final int LONGEST_TEXT = 200;

    private static final Function<JsonNode, Reported> READER = MethodsView::reported;

    private final AgentReports agents;

    public MethodsView(AgentReports agents) {
        this.agents = agents;
    }

    /**
     * The document.
     *
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public Map<String, Object> read(Call call) {
        String text = call.parameter("text", "");
        if (text.length() > LONGEST_TEXT) {
            throw new IllegalArgumentException(
                    "text: " + text.length() + " characters (expected: at most " + LONGEST_TEXT + ")");
        }
        int limit = call.number("limit", USUAL, 1, MOST);
        List<Found> found = new ArrayList<>();
        List<Map<String, Object>> reporting = new ArrayList<>();
        for (Reported report : agents.fresh(READER)) {
            reporting.add(report.agent);
            for (Found method : report.methods) {
                if (found.size() < MOST_FOUND && contains(method.method, text)) {
                    found.add(method);
                }
            }
        }
        found.sort(Comparator.comparingDouble(Found::callsPerSecond)
                .reversed()
                .thenComparing(Found::method)
                .thenComparing(Found::agent));
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("agents", reporting);
        seen.put("found", found.size());
        seen.put("methods", found.subList(0, Math.min(limit, found.size())));
        return seen;
    }

    /** What a view needs of a report. */
    private record Reported(Map<String, Object> agent, List<Found> methods) {}

    private static Reported reported(JsonNode report) {
        String name = report.path("name").asText();
        List<Found> methods = new ArrayList<>();
        for (JsonNode method : report.path("methods")) {
            methods.add(Found.of(name, method));
        }
        return new Reported(agent(report), methods);
    }

    /**
     * A method in one debug JVM.
     *
     * @param sampled the share of its calls
     * @param state what was ordered of it, such as armed or off; or ""
     */
    private record Found(
            String agent,
            String method,
            double callsPerSecond,
            double sampled,
            double meanMicros,
            double maxMicros,
            String state) {
        static Found of(String agent, JsonNode method) {
            return new Found(
                    agent,
                    method.path("method").asText(),
                    method.path("hitsPerSecond").asDouble(),
                    method.path("rate").asDouble(),
                    method.path("meanMicros").asDouble(),
                    method.path("maxMicros").asDouble(),
                    method.path("ordered").asText(""));
        }
    }

    private static Map<String, Object> agent(JsonNode report) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("name", report.path("name").asText());
        seen.put("woven", report.path("probes").asLong());
        seen.put("called", report.path("called").asLong());
        return seen;
    }

    private static boolean contains(String name, String text) {
        return text.isEmpty() || name.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
    }
}

package dev.understudy.example.demo.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Where a person who debugs this service would look next, in order of urgency. */
final class NextSteps {
    private static final int METHODS = 3;
    /** With fewer samples a mean says little: the first calls in a cold JVM are the slowest. */
    private static final int ENOUGH_SAMPLES = 20;

    private final Findings found;
    private final List<String> lines = new ArrayList<>();

    private NextSteps(Findings found) {
        this.found = found;
    }

    static List<String> from(Findings found) {
        NextSteps steps = new NextSteps(found);
        steps.differences();
        steps.misses();
        steps.slowMethods();
        steps.lines.add("`./understudy demo --keep` leaves it running: breakpoints in the debug JVM stop no customer");
        steps.lines.add(
                "`--otlp http://127.0.0.1:4318` sends each exchange as a trace: production, debug, sampled methods");
        return List.copyOf(steps.lines);
    }

    /** Routes whose replies differed, the most frequent first. */
    private void differences() {
        Map<String, Integer> routes = new TreeMap<>();
        for (JsonNode verdict : found.verdicts().path("DIFFERENT")) {
            String request = verdict.path("request").asText();
            routes.merge(request.replaceAll("[?].*", "").replaceAll("/\\d+", "/…"), 1, Integer::sum);
        }
        routes.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .forEach(route ->
                        lines.add("%s was answered differently %d times".formatted(route.getKey(), route.getValue())));
    }

    private void misses() {
        if (!found.misses().isEmpty()) {
            lines.add("the debug JVM asked upstreams for something production never did: the aggregator's /v1/misses");
        }
    }

    /** The methods in which the debug JVM spent the most time, as far as samples tell. */
    private void slowMethods() {
        List<JsonNode> methods = new ArrayList<>();
        for (JsonNode agent : found.agents()) {
            for (JsonNode method : agent.path("methods")) {
                if (method.path("samples").asLong() >= ENOUGH_SAMPLES) {
                    methods.add(method);
                }
            }
        }
        methods.sort(Comparator.comparingDouble(NextSteps::totalMicros).reversed());
        for (JsonNode method : methods.subList(0, Math.min(METHODS, methods.size()))) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%s took about %.1f s in all (%d calls, %.1f ms each in %d samples)",
                    method.path("method").asText(),
                    totalMicros(method) / 1e6,
                    method.path("hits").asLong(),
                    method.path("meanMicros").asDouble() / 1e3,
                    method.path("samples").asLong()));
        }
    }

    private static double totalMicros(JsonNode method) {
        return method.path("hits").asDouble() * method.path("meanMicros").asDouble();
    }
}

package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What several agents found of one service's methods, as one of them would tell it: of each method the figures of the
 * agents that look at it, those that are hit most first. At most {@value #MOST_METHODS} of them. Confined to one
 * thread.
 */
final class SharedProfile {
    static final int MOST_METHODS = 10_000;

    private final List<String> agents = new ArrayList<>();
    private final Map<String, Method> methods = new LinkedHashMap<>();

    /** Takes one agent's report in. */
    void add(JsonNode report) {
        String agent = report.path("name").asText();
        agents.add(agent);
        for (JsonNode method : report.path("methods")) {
            String name = method.path("method").asText();
            if (methods.size() < MOST_METHODS || methods.containsKey(name)) {
                methods.computeIfAbsent(name, none -> new Method()).add(agent, method);
            }
        }
    }

    /** All of them together. */
    Map<String, Object> spell() {
        Map<String, Object> shared = new LinkedHashMap<>();
        shared.put("agents", agents);
        shared.put(
                "methods",
                methods.entrySet().stream()
                        .sorted(Comparator.comparingDouble((Map.Entry<String, Method> one) -> one.getValue().perSecond)
                                .reversed())
                        .map(one -> one.getValue().spell(one.getKey()))
                        .toList());
        return shared;
    }

    /**
     * One of them; what was told before another agent took it over counts with its samples, and with nothing that goes
     * on.
     */
    private static final class Method {
        private final List<String> agents = new ArrayList<>();
        private long hits;
        private double perSecond;
        private double sampled;
        private long samples;
        private double costs;
        private double micros;
        private double maxMicros;

        void add(String agent, JsonNode method) {
            long itsSamples = method.path("samples").asLong();
            hits += method.path("hits").asLong();
            samples += itsSamples;
            costs += method.path("costNanos").asDouble() * itsSamples;
            micros += method.path("meanMicros").asDouble() * itsSamples;
            maxMicros = Math.max(maxMicros, method.path("maxMicros").asDouble());
            if (method.path("counted").asBoolean(true)) {
                double itsPerSecond = method.path("hitsPerSecond").asDouble();
                agents.add(agent);
                perSecond += itsPerSecond;
                sampled += itsPerSecond * method.path("rate").asDouble();
            }
        }

        Map<String, Object> spell(String name) {
            Map<String, Object> seen = new LinkedHashMap<>();
            seen.put("method", name);
            seen.put("agents", agents);
            seen.put("hits", hits);
            seen.put("hitsPerSecond", perSecond);
            seen.put("samples", samples);
            seen.put("rate", perSecond == 0 ? 0 : sampled / perSecond);
            seen.put("costNanos", samples == 0 ? 0 : costs / samples);
            seen.put("meanMicros", samples == 0 ? 0 : micros / samples);
            seen.put("maxMicros", maxMicros);
            return seen;
        }
    }
}

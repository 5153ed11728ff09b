package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.divergence.content.Folding;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What one agent says of the methods that the operator has armed, as meters {@code understudy.agent.method.*}: calls,
 * sampled calls with what they took, and the longest. At most {@value #MOST} methods of an agent have some, since each
 * is three series or more wherever they are kept; those that no order arms any more have none.
 *
 * <p>Guarded by the agent's {@link AgentMeters}; meters are read by any thread.
 */
final class MethodMeters {
    static final int MOST = 50;
    private static final int LONGEST_NAME = 200;
    private static final String NAME = "understudy.agent.method";

    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<String, Method> methods = new HashMap<>();

    /** @param tags the agent's */
    MethodMeters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
    }

    /** These are the methods of its last report. */
    void heard(JsonNode told) {
        Map<String, JsonNode> armed = new LinkedHashMap<>();
        for (JsonNode method : told) {
            String name = Folding.shortened(method.path("method").asText(), LONGEST_NAME);
            boolean wanted = method.path("ordered").asText().equals("armed") && !name.isEmpty();
            if (wanted && (armed.size() < MOST || armed.containsKey(name))) {
                armed.putIfAbsent(name, method);
            }
        }
        methods.entrySet().removeIf(known -> {
            boolean gone = !armed.containsKey(known.getKey());
            if (gone) {
                known.getValue().meters.forEach(registry::remove);
            }
            return gone;
        });
        armed.forEach(
                (name, method) -> methods.computeIfAbsent(name, this::register).report(method));
    }

    /** The agent isn't kept any longer. */
    void forgotten() {
        methods.values().forEach(known -> known.meters.forEach(registry::remove));
        methods.clear();
    }

    private Method register(String name) {
        Method method = new Method();
        Tags named = tags.and("method", name);
        method.meters = List.of(
                FunctionCounter.builder(NAME + ".calls", method, known -> known.hits)
                        .description("Calls, as far as its class's gate was open")
                        .tags(named)
                        .register(registry),
                FunctionTimer.builder(
                                NAME + ".sampled",
                                method,
                                of -> of.sampled.samples,
                                of -> of.sampled.micros,
                                TimeUnit.MICROSECONDS)
                        .description("Calls that were sampled, and what they took")
                        .tags(named)
                        .register(registry),
                TimeGauge.builder(NAME + ".longest", method, TimeUnit.MICROSECONDS, known -> known.longestMicros)
                        .description("The longest sampled call since the JVM began")
                        .tags(named)
                        .register(registry));
        return method;
    }

    /** What was reported of one method last, and its meters. */
    private static final class Method {
        private List<Meter> meters = List.of();
        private volatile double hits;
        private volatile double longestMicros;
        private volatile Sampled sampled = new Sampled(0, 0);

        void report(JsonNode told) {
            long samples = told.path("samples").asLong();
            double micros = samples * told.path("meanMicros").asDouble();
            hits = Math.max(0, told.path("hits").asDouble());
            longestMicros = Math.max(0, told.path("maxMicros").asDouble());
            sampled = new Sampled(Math.max(0, samples), Math.max(0, micros));
        }
    }

    private record Sampled(long samples, double micros) {}
}

package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.divergence.content.Folding;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Each agent's figures as meters, {@code understudy.agent.*}, as it last reported them. What an agent that is silent
 * would spend now isn't known: its gauges are no number then, and {@code understudy.agent.up} is 0.
 *
 * <p>Guarded by this object; meters are read by any thread.
 */
public final class AgentMeters {
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int LONGEST_NAME = 200;

    private final MeterRegistry registry;
    private final LongSupplier nanoTime;
    private final Map<String, Heard> agents = new HashMap<>();

    /** @param nanoTime {@link System#nanoTime()}, or a test's */
    public AgentMeters(MeterRegistry registry, LongSupplier nanoTime) {
        this.registry = registry;
        this.nanoTime = nanoTime;
    }

    /** It has reported. */
    synchronized void heard(String name, JsonNode report) {
        Heard known = agents.get(name);
        if (known == null) {
            Tags tags = Tags.of("agent", Folding.shortened(name, LONGEST_NAME));
            known = new Heard(nanoTime.getAsLong(), new MethodMeters(registry, tags));
            agents.put(name, known);
            register(tags, known);
        }
        known.report(report);
        known.at = nanoTime.getAsLong();
        known.methods.heard(report.path("methods"));
    }

    /** Its reports are kept no longer. */
    synchronized void forgotten(String name) {
        Heard known = agents.remove(name);
        if (known != null) {
            known.meters.forEach(registry::remove);
            known.methods.forgotten();
        }
    }

    private void register(Tags tags, Heard agent) {
        gauge("understudy.agent.up", tags, agent, () -> isSilent(agent) ? 0 : 1);
        figure("understudy.agent.budget", tags, agent, "budget");
        figure("understudy.agent.budget.max", tags, agent, "budgetMax");
        figure("understudy.agent.spent", tags, agent, "spent");
        figure("understudy.agent.price", tags, agent, "nu");
        figure("understudy.agent.probes", tags, agent, "probes");
        figure("understudy.agent.probes.armed", tags, agent, "armed");
        figure("understudy.agent.samples.rate", tags, agent, "samplesPerSecond");
        figure("understudy.agent.stacks.rate", tags, agent, "stacksPerSecond");
        counter("understudy.agent.exchanges", tags, agent, "exchanges");
        counter("understudy.agent.exchanges.observed", tags, agent, "observedExchanges");
        counter("understudy.agent.stacks", tags, agent, "stacks");
        counter("understudy.agent.faults", tags, agent, "faults");
        counter("understudy.agent.egress.refused", tags, agent, "/egress/refused");
        counter("understudy.agent.measured", tags, agent, "/measure/measured");
        counter("understudy.agent.dropped", tags.and("what", "measurements"), agent, "/measure/notMeasured");
        counter("understudy.agent.quota", tags, agent, "/quota/taken");
        counter("understudy.agent.dropped", tags.and("what", "samples"), agent, "refusedSamples");
        counter("understudy.agent.dropped", tags.and("what", "spans"), agent, "droppedSpans");
        counter("understudy.agent.dropped", tags.and("what", "observations"), agent, "droppedObservations");
        counter("understudy.agent.dropped", tags.and("what", "crowded"), agent, "crowdedObservations");
        counter("understudy.agent.dropped", tags.and("what", "stacks"), agent, "droppedStacks");
    }

    private void figure(String name, Tags tags, Heard agent, String field) {
        agent.figures.put(field, Double.NaN);
        gauge(name, tags, agent, () -> isSilent(agent) ? Double.NaN : agent.figure(field));
    }

    private void gauge(String name, Tags tags, Heard agent, DoubleSupplier value) {
        agent.meters.add(Gauge.builder(name, value::getAsDouble)
                .tags(tags)
                .strongReference(true)
                .register(registry));
    }

    private void counter(String name, Tags tags, Heard agent, String field) {
        agent.figures.put(field, 0.0);
        agent.meters.add(FunctionCounter.builder(name, agent, heard -> heard.figure(field))
                .tags(tags)
                .register(registry));
    }

    private boolean isSilent(Heard agent) {
        return nanoTime.getAsLong() - agent.at > SILENCE_NANOS;
    }

    /** The figures of one agent's last report, and its meters, its methods' too. */
    private static final class Heard {
        private final List<Meter> meters = new ArrayList<>();
        private final MethodMeters methods;
        /** By field; of one that a report doesn't tell it is what it was at first. Filled once, with all fields. */
        private final Map<String, Double> figures = new HashMap<>();

        private volatile Map<String, Double> reported = Map.of();
        private volatile long at;

        Heard(long at, MethodMeters methods) {
            this.at = at;
            this.methods = methods;
        }

        void report(JsonNode report) {
            Map<String, Double> told = new HashMap<>(figures);
            told.replaceAll((field, otherwise) -> {
                JsonNode figure = field.startsWith("/") ? report.at(field) : report.path(field);
                return figure.isNumber() ? Double.valueOf(figure.doubleValue()) : otherwise;
            });
            reported = told;
        }

        double figure(String field) {
            return reported.getOrDefault(field, Double.NaN);
        }
    }
}

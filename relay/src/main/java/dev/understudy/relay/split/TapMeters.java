package dev.understudy.relay.split;

import dev.understudy.relay.ring.ControlBlock;
import dev.understudy.relay.ring.LaneRings;
import dev.understudy.relay.ring.PublishedRelay;
import dev.understudy.relay.tap.Direction;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Shows what found no room in the rings, and what was in them for nobody, as {@code understudy.tap.*}. */
final class TapMeters {
    private TapMeters() {}

    static void register(MeterRegistry registry, String listener, PublishedRelay relay) {
        Tags tags = Tags.of("listener", listener);
        for (Direction direction : Direction.values()) {
            Tags directed = tags.and("direction", direction.name().toLowerCase(Locale.ROOT));
            count(registry, "bytes", directed, relay, published -> published.lostBytes(direction));
        }
        count(registry, "holes", tags, relay, PublishedRelay::holes);
        count(registry, "connections", tags, relay, PublishedRelay::lostConnections);
        FunctionCounter.builder("understudy.tap.unknown.bytes", relay, PublishedRelay::unknownBytes)
                .tags(tags)
                .register(registry);
    }

    /** How often the lane process was started again, and what the tap process takes of the system. */
    static void register(MeterRegistry registry, ControlBlock control) {
        FunctionCounter.builder("understudy.tap.restarts", control, block -> Math.max(0, block.lives() - 1))
                .register(registry);
        Gauge.builder("understudy.tap.memory.bytes", control, ControlBlock::residentBytes)
                .register(registry);
        Gauge.builder("understudy.tap.descriptors", control, ControlBlock::descriptors)
                .register(registry);
    }

    /** Copies that ended by a defect, and rings given up. */
    static void register(MeterRegistry registry, LaneRings rings) {
        FunctionCounter.builder("understudy.tap.copies.failed", rings, LaneRings::failures)
                .register(registry);
        FunctionCounter.builder("understudy.tap.damages", rings, LaneRings::damages)
                .register(registry);
    }

    private static void count(
            MeterRegistry registry,
            String name,
            Tags tags,
            PublishedRelay relay,
            ToDoubleFunction<PublishedRelay> figure) {
        FunctionCounter.builder("understudy.tap.lost." + name, relay, figure)
                .tags(tags)
                .register(registry);
    }
}

package dev.understudy.relay;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What the lanes of one listener copied and lost, as {@code understudy.lane.*} and to be read here. Thread-safe. */
public final class LaneMetrics {
    private final LongAdder opened = new LongAdder();
    private final LongAdder closed = new LongAdder();
    private final Map<Direction, LongAdder> bytes = new EnumMap<>(Direction.class);
    private final Map<LossReason, LongAdder> losses = new EnumMap<>(LossReason.class);
    private final Map<LossReason, LongAdder> lostBytes = new EnumMap<>(LossReason.class);

    /** Registers the meters with the tag {@code listener}. */
    public LaneMetrics(MeterRegistry registry, String listener) {
        Tags tags = Tags.of("listener", listener);
        counter(registry, "understudy.lane.opened", tags, opened);
        Gauge.builder("understudy.lane.open", this, LaneMetrics::open)
                .tags(tags)
                .register(registry);
        for (Direction direction : Direction.values()) {
            LongAdder adder = new LongAdder();
            bytes.put(direction, adder);
            counter(registry, "understudy.lane.bytes", tags.and("direction", lower(direction)), adder);
        }
        for (LossReason reason : LossReason.values()) {
            Tags reasoned = tags.and("reason", lower(reason));
            losses.put(reason, new LongAdder());
            lostBytes.put(reason, new LongAdder());
            if (reason != LossReason.NONE) {
                counter(registry, "understudy.lane.losses", reasoned, adder(losses, reason));
                counter(registry, "understudy.lane.lost.bytes", reasoned, adder(lostBytes, reason));
            }
        }
    }

    private static void counter(MeterRegistry registry, String name, Tags tags, LongAdder adder) {
        FunctionCounter.builder(name, adder, LongAdder::sum).tags(tags).register(registry);
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static <K extends Enum<K>> LongAdder adder(Map<K, LongAdder> adders, K key) {
        LongAdder adder = adders.get(key);
        if (adder == null) {
            throw new IllegalStateException("no counter for " + key);
        }
        return adder;
    }

    /** Lanes opened so far. */
    public long opened() {
        return opened.sum();
    }

    /** Lanes whose connection is still open. */
    public long open() {
        return opened.sum() - closed.sum();
    }

    /** Bytes handed over in {@code direction} so far. */
    public long bytes(Direction direction) {
        return adder(bytes, direction).sum();
    }

    /** How many lanes lost something for {@code reason}. */
    public long losses(LossReason reason) {
        return adder(losses, reason).sum();
    }

    /** How many bytes were not handed over for {@code reason}. */
    public long lostBytes(LossReason reason) {
        return adder(lostBytes, reason).sum();
    }

    /** All reasons for which something was lost, with the number of lanes. */
    public Map<LossReason, Long> losses() {
        Map<LossReason, Long> counted = new EnumMap<>(LossReason.class);
        losses.forEach((reason, adder) -> {
            if (adder.sum() > 0) {
                counted.put(reason, adder.sum());
            }
        });
        return Collections.unmodifiableMap(counted);
    }

    void laneOpened() {
        opened.increment();
    }

    void laneClosed() {
        closed.increment();
    }

    void handedOver(Direction direction, long count) {
        adder(bytes, direction).add(count);
    }

    void laneLost(LossReason reason) {
        adder(losses, reason).increment();
    }

    void bytesLost(LossReason reason, long count) {
        adder(lostBytes, reason).add(count);
    }
}

package dev.understudy.relay.lane;

import dev.understudy.relay.tap.Counts;
import dev.understudy.relay.tap.Direction;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What the lanes of one listener copied and lost, as {@code understudy.lane.*} and to be read here. Thread-safe. */
public final class LaneMetrics {
    private final LongAdder opened = new LongAdder();
    private final LongAdder closed = new LongAdder();
    private final LongAdder waiting = new LongAdder();
    private final Counts<Direction> bytes;
    private final Counts<LossReason> losses;
    private final Counts<LossReason> lostBytes;

    /** Registers the meters with the tag {@code listener}. */
    public LaneMetrics(MeterRegistry registry, String listener) {
        this(registry, Tags.of("listener", listener));
    }

    /** Registers the meters with {@code tags}. */
    public LaneMetrics(MeterRegistry registry, Tags tags) {
        FunctionCounter.builder("understudy.lane.opened", opened, LongAdder::sum)
                .tags(tags)
                .register(registry);
        Gauge.builder("understudy.lane.open", this, LaneMetrics::open)
                .tags(tags)
                .register(registry);
        Gauge.builder("understudy.lane.waiting.bytes", waiting, LongAdder::sum)
                .tags(tags)
                .register(registry);
        bytes = new Counts<>(Direction.class, registry, "understudy.lane.bytes", tags, "direction");
        losses = new Counts<>(LossReason.class, registry, "understudy.lane.losses", tags, "reason");
        lostBytes = new Counts<>(LossReason.class, registry, "understudy.lane.lost.bytes", tags, "reason");
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
        return bytes.get(direction);
    }

    /** Bytes that wait in lanes because what is above them has no room yet. */
    public long waiting() {
        return waiting.sum();
    }

    /** For how many lanes something was lost, by reason. */
    public Map<LossReason, Long> losses() {
        return losses.counted();
    }

    /** How many bytes were not handed over, by reason. */
    public Map<LossReason, Long> lostBytes() {
        return lostBytes.counted();
    }

    void laneOpened() {
        opened.increment();
    }

    void laneClosed() {
        closed.increment();
    }

    void handedOver(Direction direction, long count) {
        bytes.add(direction, count);
    }

    /** {@code change} more bytes wait, or less if it is negative. */
    void waiting(long change) {
        waiting.add(change);
    }

    void laneLost(LossReason reason) {
        losses.add(reason, 1);
    }

    void bytesLost(LossReason reason, long count) {
        lostBytes.add(reason, count);
    }
}

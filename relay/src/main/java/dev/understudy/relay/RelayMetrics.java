package dev.understudy.relay;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Counts;
import dev.understudy.relay.tap.Direction;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.LongAdder;

/** What one listener relayed, as {@code understudy.relay.*}. Thread-safe. */
final class RelayMetrics {
    private final LongAdder opened = new LongAdder();
    private final LongAdder closed = new LongAdder();
    private final LongAdder tapFailures = new LongAdder();
    private final LongAdder acceptFailures = new LongAdder();
    private final Counts<Direction> bytes;
    private final Counts<CloseReason> endings;

    RelayMetrics(MeterRegistry registry, String listener) {
        Tags tags = Tags.of("listener", listener);
        FunctionCounter.builder("understudy.relay.connections", opened, LongAdder::sum)
                .tags(tags)
                .register(registry);
        FunctionCounter.builder("understudy.relay.tap.failures", tapFailures, LongAdder::sum)
                .tags(tags)
                .register(registry);
        FunctionCounter.builder("understudy.relay.accept.failures", acceptFailures, LongAdder::sum)
                .tags(tags)
                .register(registry);
        Gauge.builder("understudy.relay.connections.open", this, RelayMetrics::open)
                .tags(tags)
                .register(registry);
        bytes = new Counts<>(Direction.class, registry, "understudy.relay.bytes", tags, "direction");
        endings = new Counts<>(CloseReason.class, registry, "understudy.relay.endings", tags, "reason");
    }

    void accepted() {
        opened.increment();
    }

    /** Another listener relays what this one has accepted. */
    void passedOn() {
        closed.increment();
    }

    void relayed(Direction direction, int count) {
        bytes.add(direction, count);
    }

    /** Counts copies that ended by a defect. */
    LongAdder tapFailures() {
        return tapFailures;
    }

    /** Counts connections that couldn't be accepted, or had no socket to production. */
    LongAdder acceptFailures() {
        return acceptFailures;
    }

    void ended(CloseReason reason) {
        endings.add(reason, 1);
        closed.increment();
    }

    long opened() {
        return opened.sum();
    }

    long open() {
        // what is read later may have gone on: rather one too many than one too few
        long over = closed.sum();
        return opened.sum() - over;
    }

    long bytes(Direction direction) {
        return bytes.get(direction);
    }

    long endings(CloseReason reason) {
        return endings.get(reason);
    }
}

package dev.understudy.relay;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Counts;
import dev.understudy.relay.tap.Direction;
import java.util.concurrent.atomic.LongAdder;

/** Counts what one listener relays. Thread-safe. */
final class RelayMetrics {
    private final LongAdder opened = new LongAdder();
    private final LongAdder closed = new LongAdder();
    private final LongAdder tapFailures = new LongAdder();
    private final LongAdder acceptFailures = new LongAdder();
    private final Counts<Direction> bytes = new Counts<>(Direction.class);
    private final Counts<CloseReason> endings = new Counts<>(CloseReason.class);

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

package dev.understudy.relay.ring;

import dev.understudy.relay.tap.Direction;
import java.util.concurrent.atomic.LongAdder;

/** What found no room in the rings, of one listener. Thread-safe. */
public final class RingLosses {
    private final LongAdder requestBytes = new LongAdder();
    private final LongAdder replyBytes = new LongAdder();
    private final LongAdder holes = new LongAdder();
    private final LongAdder connections = new LongAdder();

    void bytes(Direction direction, long count) {
        (direction == Direction.REQUEST ? requestBytes : replyBytes).add(count);
    }

    void hole() {
        holes.increment();
    }

    void connection() {
        connections.increment();
    }

    /** Bytes in that direction. */
    public long bytes(Direction direction) {
        return (direction == Direction.REQUEST ? requestBytes : replyBytes).sum();
    }

    /** How often a connection's copy got a hole. */
    public long holes() {
        return holes.sum();
    }

    /** Connections of which nothing at all found room. */
    public long connections() {
        return connections.sum();
    }
}

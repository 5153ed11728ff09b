package dev.understudy.sidecar.order;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Makes the gates of the two order modes. */
public final class Ordering {
    private static final long HAND_OVER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Ordering() {}

    /**
     * Up to when the lanes have been handed everything that relay loops read, {@link System#nanoTime()}.
     *
     * <p>Relay loops hand over after they have flushed. With several of them that moment lies a millisecond back: a
     * client can answer a reply of one loop, by way of another, before the reply's copy is on its way.
     *
     * @param received up to when everything that relay loops had handed over has reached the lanes; now, where they
     *     hand over to the lanes themselves
     * @param relays how many relay loops there are
     */
    public static LongSupplier handedOver(LongSupplier received, long relays) {
        return relays > 1 ? () -> received.getAsLong() - HAND_OVER_NANOS : received;
    }

    /**
     * One gate for all connections: production's happens-before across them.
     *
     * @param handedOver see {@link #handedOver}
     * @param lanes the lane loops
     */
    public static OrderGate causal(
            LongSupplier handedOver, List<? extends Executor> lanes, DebugClock clock, Duration patience) {
        LaneHorizon horizon = new LaneHorizon(lanes, handedOver);
        OrderGate gate = new OrderGate(clock, horizon, patience);
        horizon.onMove(gate::moved);
        return gate;
    }

    /** A gate for one connection: the order of its own exchanges. */
    public static OrderGate connection(DebugClock clock, Duration patience) {
        return new OrderGate(clock, Horizon.NONE, patience);
    }
}

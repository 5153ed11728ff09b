package dev.understudy.sidecar.order;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Makes the gates of the two order modes. */
public final class Ordering {
    private static final long HAND_OVER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Ordering() {}

    /**
     * One gate for all connections: production's happens-before across them.
     *
     * @param relays the relay loops
     * @param lanes the lane loops
     */
    public static OrderGate causal(
            Iterable<?> relays, Iterable<? extends Executor> lanes, DebugClock clock, Duration patience) {
        long handOver = listed(relays).size() > 1 ? HAND_OVER_NANOS : 0;
        LaneHorizon horizon = new LaneHorizon(listed(lanes), handOver, System.nanoTime());
        OrderGate gate = new OrderGate(clock, horizon, patience);
        horizon.onMove(gate::moved);
        return gate;
    }

    /** A gate for one connection: the order of its own exchanges. */
    public static OrderGate connection(DebugClock clock, Duration patience) {
        return new OrderGate(clock, Horizon.NONE, patience);
    }

    private static <T> List<T> listed(Iterable<? extends T> items) {
        List<T> list = new ArrayList<>();
        items.forEach(list::add);
        return list;
    }
}

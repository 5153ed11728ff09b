package dev.understudy.sidecar.lane;

import dev.understudy.relay.EventLoops;
import dev.understudy.sidecar.order.DebugClock;
import dev.understudy.sidecar.order.Horizon;
import dev.understudy.sidecar.order.OrderGate;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes the gates of the two order modes. */
public final class Ordering {
    private static final long HAND_OVER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Ordering() {}

    /** One gate for all connections: production's happens-before across them. */
    public static OrderGate causal(EventLoops loops, DebugClock clock, Duration patience) {
        List<EventExecutor> lanes = executors(loops.lanes());
        int relays = executors(loops.relay()).size();
        LaneHorizon horizon = new LaneHorizon(lanes, relays > 1 ? HAND_OVER_NANOS : 0, System.nanoTime());
        OrderGate gate = new OrderGate(clock, horizon, patience);
        horizon.onMove(gate::moved);
        return gate;
    }

    /** A gate for one connection: the order of its own exchanges. */
    public static OrderGate connection(DebugClock clock, Duration patience) {
        return new OrderGate(clock, Horizon.NONE, patience);
    }

    private static List<EventExecutor> executors(Iterable<EventExecutor> group) {
        List<EventExecutor> executors = new ArrayList<>();
        group.forEach(executors::add);
        return executors;
    }
}

package dev.understudy.sidecar.lane;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.relay.deliver.DebugPeer;
import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneMetrics;
import dev.understudy.relay.lane.LaneObserver;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.Inbox;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.sidecar.order.OrderGate;
import dev.understudy.sidecar.order.Ordering;
import dev.understudy.sidecar.tee.Joining;
import dev.understudy.sidecar.tee.RequestStart;
import dev.understudy.sidecar.tee.Sampling;
import dev.understudy.sidecar.tee.TeeMode;
import dev.understudy.sidecar.tee.TeeSwitch;
import dev.understudy.sidecar.tee.TeeTarget;
import dev.understudy.sidecar.trace.TraceIds;
import dev.understudy.sidecar.verdict.FidelityReading;
import dev.understudy.sidecar.verdict.Judged;
import dev.understudy.sidecar.verdict.LossLog;
import dev.understudy.sidecar.verdict.ReplyPair;
import dev.understudy.sidecar.verdict.Tally;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens a debug lane for each connection of one listener, and knows those that are open. Thread-safe. */
public final class DebugLanes implements TeeTarget {
    /** Memory of a lane beside what it holds, about: measured with 130,000 that hold one request each. */
    private static final long LANE_BYTES = 10 * 1024;

    /** So many bytes of lanes are always allowed. */
    private static final long LEAST_BYTES = 16 << 20;

    /** So long a replay waits at most; the debug JVM may stand at a breakpoint meanwhile. */
    private static final Duration REPLAY_PATIENCE = Duration.ofSeconds(60);

    /** What a replay may hold of both replies. */
    private static final long REPLAY_BYTES = 4L << 20;

    private final LaneShared shared;
    private final LaneSettings settings;
    private final DebugPeer peer;
    private final Supplier<OrderGate> orders;
    private final MemoryBudget memory;
    private final long laneMemory;
    private final @Nullable Spill spill;
    private final LaneMetrics metrics;
    private final LossLog lossLog;
    private final Tally tally;
    private final @Nullable RequestStart start;
    private final Map<Lane, DebugLane> open = new ConcurrentHashMap<>();
    private final long mostOpen;

    /**
     * @param orders gives the gate of a new lane: always the same one, or one of its own
     * @param memory what all lanes share
     * @param laneMemory bytes that one lane may hold
     * @param spill where what doesn't fit waits; null for nowhere
     */
    public DebugLanes(
            LaneShared shared,
            LaneSettings settings,
            DebugPeer peer,
            Supplier<OrderGate> orders,
            MemoryBudget memory,
            long laneMemory,
            @Nullable Spill spill,
            LaneMetrics metrics) {
        this(shared, settings, peer, orders, memory, laneMemory, spill, metrics, new Tally(settings.state()));
    }

    private DebugLanes(
            LaneShared shared,
            LaneSettings settings,
            DebugPeer peer,
            Supplier<OrderGate> orders,
            MemoryBudget memory,
            long laneMemory,
            @Nullable Spill spill,
            LaneMetrics metrics,
            Tally tally) {
        this.shared = shared;
        this.settings = settings;
        this.tally = tally;
        this.peer = peer;
        this.orders = orders;
        this.memory = memory;
        this.laneMemory = laneMemory;
        this.mostOpen = Math.max(LEAST_BYTES, memory.capacity()) / LANE_BYTES;
        this.spill = spill;
        this.metrics = metrics;
        this.start = settings.framed() ? shared.dialect(settings.protocol()).start() : null;
        this.lossLog = new LossLog(settings.listener(), System::nanoTime);
    }

    /**
     * Lanes to the same debug JVM that a recording is played to. Their switch is always on, they share order,
     * identities, verdicts and counts with these, and have half of the memory at most.
     */
    public DebugLanes forPlayback() {
        return new DebugLanes(
                shared,
                settings.with(new TeeSwitch(TeeMode.ON, Sampling.ALL, System.nanoTime())),
                peer,
                orders,
                new MemoryBudget(memory.capacity() / 2, memory),
                laneMemory,
                spill,
                new LaneMetrics(new SimpleMeterRegistry(), settings.listener()),
                tally);
    }

    /** Null where as many lanes are open as have room beside what they hold: their own memory is bounded as that is. */
    @Override
    public @Nullable Tap open(TapConnection connection) {
        if (isFull()) {
            crowded(connection);
            return null;
        }
        Tally counts = tally.ofConnection();
        Lane first = lane(connection, lane -> above(lane, counts));
        return start == null ? first : new Reanchoring(first, new Successors(connection, counts, start));
    }

    /** Only where requests can be told from what is between them. */
    @Override
    public @Nullable Tap join(TapConnection connection) {
        if (start == null) {
            unjoined(connection);
            return null;
        }
        if (isFull()) {
            crowded(connection);
            return null;
        }
        Tally counts = tally.ofConnection();
        Joining first = joining(connection, counts, start, tally::joined);
        return new Reanchoring(first, new Successors(connection, counts, start));
    }

    @Override
    public void unjoined(TapConnection connection) {
        tally.unjoined();
        shared.loops()
                .nextLane()
                .execute(() -> new Judge(shared, settings, tally, connection)
                        .judgeBytes(NotCompared.NOT_JOINED, "(open before the tee was on)"));
    }

    /** By lanes whose end isn't handed over yet, and by those that debug isn't done with. */
    private boolean isFull() {
        return Math.max(metrics.open(), open.size()) >= mostOpen;
    }

    /** There is no lane for a connection, so nothing of it is copied: what it carries is in no other count. */
    private void crowded(TapConnection connection) {
        tally.lost(LossReason.OVERFLOW_GLOBAL);
        tally.lostBytes(LossReason.OVERFLOW_GLOBAL, 0);
        tally.fidelity().holed();
        shared.loops()
                .nextLane()
                .execute(() -> new Judge(shared, settings, tally, connection)
                        .judgeBytes(
                                NotCompared.OVERFLOW,
                                "(not copied: " + mostOpen + " connections wait; raise window.memory)"));
    }

    @Override
    public void switched(TeeMode mode) {
        open.forEach((lane, debugLane) ->
                lane.loop().execute(mode == TeeMode.OFF ? debugLane::switchedOff : debugLane::resume));
    }

    private Lane lane(TapConnection connection, Function<Lane, LaneObserver> above) {
        MemoryBudget budget = new MemoryBudget(laneMemory, memory);
        return Lane.open(connection, shared.loops(), budget, metrics, spill, above);
    }

    private Joining joining(TapConnection connection, Tally counts, RequestStart where, Runnable joined) {
        return Joining.open(above -> lane(connection, above), where, lane -> {
            joined.run();
            return above(lane, counts);
        });
    }

    /** Name of the debug JVM that they lead to. */
    public String debug() {
        return settings.debug();
    }

    /** Where it listens. */
    public SocketAddress address() {
        return peer.address();
    }

    /** What the lanes counted. */
    public Tally tally() {
        return tally;
    }

    /** How much of what these lanes, or the fullest of them, may hold is taken, in memory or in number, 0 to 1. */
    public double fill() {
        return Math.max(Math.max(memory.fill(), fullest()), (double) open.size() / mostOpen);
    }

    /** Lanes that are open, or that the debug JVM isn't done with. */
    public int size() {
        return open.size();
    }

    /** Whether no lane is open any more. */
    public boolean isIdle() {
        return metrics.open() == 0 && open.isEmpty();
    }

    /**
     * Waits until the lane loops have come to all that these lanes were given before; for a thread that is none of
     * theirs.
     *
     * @return false if that took longer than {@code patience}
     */
    public boolean awaitTaken(Duration patience) throws InterruptedException {
        Collection<Inbox> inboxes = shared.loops().inboxes();
        CountDownLatch taken = new CountDownLatch(inboxes.size());
        inboxes.forEach(inbox -> inbox.executeSoon(taken::countDown));
        return taken.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The first connections that lost something since this was last asked. */
    public List<LossLog.Lost> drainLosses() {
        return lossLog.drain();
    }

    /** Bytes that were copied from clients. */
    public LaneMetrics metrics() {
        return metrics;
    }

    /** Lanes that wait for a debug JVM which can't be reached. */
    public long unreachable() {
        return peer.unreachable() ? Math.max(0, tally.lanesOpen() - tally.lanesConnected()) : 0;
    }

    /** Whether the debug JVM is given nothing until the moment of a snapshot is known that it begins with. */
    public boolean awaitsSnapshot() {
        return settings.tee().awaitsSnapshot();
    }

    /** Whether bytes are cut into exchanges. */
    public boolean isFramed() {
        return settings.framed();
    }

    /** Why the debug JVM couldn't be reached the last time; empty if it could. */
    public String obstacle() {
        return peer.obstacle();
    }

    /** TLS handshakes with the debug JVM that failed. */
    public long failedHandshakes() {
        return peer.failedHandshakes();
    }

    /** How full the fullest lane is, 0 to 1. */
    public double fullest() {
        double fullest = 0;
        for (Lane lane : open.keySet()) {
            fullest = Math.max(fullest, (double) lane.budget().used() / laneMemory);
        }
        return fullest;
    }

    /** How faithful the copies of open connections are, and of such as the debug JVM isn't done with; in no order. */
    public Map<TapConnection, FidelityReading> connections() {
        Map<TapConnection, FidelityReading> read = new HashMap<>();
        open.forEach((lane, debugLane) -> read.put(lane.connection(), debugLane.fidelity()));
        return read;
    }

    /**
     * How long ago the oldest event happened that waits in a lane for debug to want it, in nanoseconds; 0 if none does.
     */
    public long waited(long now) {
        long longest = 0;
        for (DebugLane lane : open.values()) {
            longest = Math.max(longest, lane.waited(now));
        }
        return longest;
    }

    /**
     * Sends one request to the debug JVM once more, and has its reply compared with production's recorded one. Nothing
     * is counted or learned of it, but what may differ by nature; production hears nothing of it. It is given up after
     * the reply time-out, or a minute. Any thread.
     *
     * @param connection the one that it was recorded of
     * @param request all of it, as its client sent it; not to be changed any more
     * @param reply production's, all of it; not to be changed any more
     * @param trace what the debug JVM is told with it; null for no trace
     * @param done is run once, on any thread
     */
    public void replay(long connection, byte[] request, byte[] reply, @Nullable TraceIds trace, Replayed done) {
        Duration patience =
                settings.replyTimeout().compareTo(REPLAY_PATIENCE) < 0 ? settings.replyTimeout() : REPLAY_PATIENCE;
        SingleReplay replay = new SingleReplay(done);
        DebugLanes apart = new DebugLanes(
                shared.apart(replay::judged),
                settings.apart(patience, () -> trace),
                peer,
                () -> Ordering.connection(shared.debugClock(), patience),
                new MemoryBudget(REPLAY_BYTES, null),
                REPLAY_BYTES,
                null,
                new LaneMetrics(new SimpleMeterRegistry(), Tags.empty()));
        replay.run(apart, connection, request, reply, shared.loops().nextLane(), patience);
    }

    /** The trace for a request that is sent once more; null if the debug JVM is told none. */
    public @Nullable TraceIds nextTrace() {
        return settings.traces().next();
    }

    /** Hears how a replay ended. */
    @FunctionalInterface
    public interface Replayed {
        /**
         * It is over.
         *
         * @param judged null if it was given up
         * @param replies null if they are equal, or none came
         */
        void done(@Nullable Judged judged, @Nullable ReplyPair replies);
    }

    /** Ends all lanes; what they still hold is lost and counted. */
    public void shutDown() {
        open.forEach((lane, debugLane) -> lane.loop().execute(debugLane::shutDown));
    }

    private LaneObserver above(Lane lane, Tally counts) {
        DebugLane debugLane = new DebugLane(
                shared,
                settings,
                counts,
                peer.prefaced(lane.connection()),
                orders.get(),
                lossLog,
                lane,
                () -> open.remove(lane));
        open.put(lane, debugLane);
        return debugLane;
    }

    /** Opens a connection's further lanes. */
    private final class Successors implements Reanchoring.Lanes {
        private static final double TIGHT = 0.5;

        private final TapConnection connection;
        private final Tally counts;
        private final RequestStart where;

        Successors(TapConnection connection, Tally counts, RequestStart where) {
            this.connection = connection;
            this.counts = counts;
            this.where = where;
        }

        @Override
        public boolean mayBegin() {
            return peer.mayBeTried() && memory.pressure() < TIGHT && !isFull();
        }

        @Override
        public Joining rejoin() {
            return joining(connection, counts, where, tally::rejoined);
        }

        @Override
        public void unjoined() {
            DebugLanes.this.unjoined(connection);
        }
    }
}

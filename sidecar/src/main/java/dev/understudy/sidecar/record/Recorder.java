package dev.understudy.sidecar.record;

import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneMetrics;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.stream.RecordingWriter;
import dev.understudy.relay.tap.Connection;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapFactory;

/** Records every connection of a listener. Thread-safe. */
public final class Recorder implements TapFactory {
    private static final long MEMORY = 64L << 20;
    private static final long LANE_MEMORY = 8L << 20;

    private final EventLoops loops;
    private final RecordingWriter recording;
    private final LaneMetrics metrics;
    private final MemoryBudget memory = new MemoryBudget(MEMORY, null);

    /** Records to {@code recording}, which stays the caller's to close, after the loops. */
    public Recorder(EventLoops loops, RecordingWriter recording, LaneMetrics metrics) {
        this.loops = loops;
        this.recording = recording;
        this.metrics = metrics;
    }

    @Override
    public Tap open(Connection connection) {
        return Lane.open(
                connection,
                loops,
                new MemoryBudget(LANE_MEMORY, memory),
                metrics,
                null,
                lane -> new RecordedConnection(lane, recording, loops.allocator(), ended -> {}));
    }
}

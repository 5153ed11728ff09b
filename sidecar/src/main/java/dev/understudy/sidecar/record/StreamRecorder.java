package dev.understudy.sidecar.record;

import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneMetrics;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.stream.RecordingWriter;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tap.TapFactory;

/** Records every connection of a listener. Thread-safe. */
public final class StreamRecorder implements TapFactory {
    private static final long MEMORY = 64L << 20;
    private static final long LANE_MEMORY = 8L << 20;

    private final EventLoops loops;
    private final RecordingWriter recording;
    private final LaneMetrics metrics;
    private final MemoryBudget memory = new MemoryBudget(MEMORY, null);

    /** Records to {@code recording}, which stays the caller's to close, after the loops. */
    public StreamRecorder(EventLoops loops, RecordingWriter recording, LaneMetrics metrics) {
        this.loops = loops;
        this.recording = recording;
        this.metrics = metrics;
    }

    @Override
    public Tap open(TapConnection connection) {
        return Lane.open(
                connection,
                loops,
                new MemoryBudget(LANE_MEMORY, memory),
                metrics,
                null,
                lane -> new RecordedConnection(lane, recording, loops.allocator(), ended -> {}));
    }
}

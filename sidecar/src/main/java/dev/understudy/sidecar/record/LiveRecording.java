package dev.understudy.sidecar.record;

import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneMetrics;
import dev.understudy.relay.lane.LaneObserver;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.Inbox;
import dev.understudy.relay.stream.RecordingWriter;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.sidecar.frame.http.HttpRequestStart;
import dev.understudy.sidecar.tee.Joining;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One recording of a running sidecar, from its start to its stop: a file, the lanes that lead to it, and their memory.
 *
 * <p>Thread-safe; {@link #open} and {@link #stopped} are confined to the recordings' loop, which is no debug lane's.
 */
final class LiveRecording {
    private static final long MEMORY = 64L << 20;
    private static final long LANE_MEMORY = 8L << 20;

    private final Path file;
    private final Inbox inbox;
    private final RecordingWriter writer;
    private final long sinceMillis = System.currentTimeMillis();
    private final MemoryBudget memory = new MemoryBudget(MEMORY, null);
    private final LaneMetrics metrics = new LaneMetrics(new SimpleMeterRegistry(), "recording");
    private final LongAdder unjoined = new LongAdder();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Set<RecordedConnection> open = new HashSet<>();
    private boolean stopped;
    private boolean finished;
    private volatile boolean stopping;

    /**
     * Begins one.
     *
     * @throws IOException if there can't be such a file
     */
    LiveRecording(Path file, long most, Inbox inbox, Consumer<LiveRecording> endedByItself) throws IOException {
        this.file = file;
        this.inbox = inbox;
        this.writer = RecordingWriter.create(file, most);
        writer.atEnd(reason -> endedByItself.accept(this));
    }

    /** Copies a connection from its beginning; on its relay loop. */
    Tap tap(TapConnection connection) {
        return lane(connection, this::above);
    }

    /** Copies a connection that goes on already, from its next request; on its relay loop. */
    Tap join(TapConnection connection) {
        return Joining.open(above -> lane(connection, above), HttpRequestStart::look, this::above);
    }

    /** A connection couldn't be joined. */
    void unjoined() {
        unjoined.increment();
    }

    /** Ends all copies, and closes the file once they are written. Waits for nothing. */
    void stop() {
        if (!stopping) {
            stopping = true;
            inbox.executeSoon(() -> {
                stopped = true;
                List.copyOf(open).forEach(RecordedConnection::stop);
                finishIfOver();
            });
        }
    }

    /** Waits until the file is closed, for {@code seconds} at most; false if it isn't by then. */
    boolean awaitClosed(long seconds) throws InterruptedException {
        return closed.await(seconds, TimeUnit.SECONDS);
    }

    RecordingStatus status() {
        long lost =
                metrics.lostBytes().values().stream().mapToLong(Long::longValue).sum();
        long holes =
                metrics.losses().values().stream().mapToLong(Long::longValue).sum();
        return new RecordingStatus(
                !stopping ? "on" : closed.getCount() > 0 ? "stopping" : "off",
                file.toString(),
                sinceMillis,
                writer.bytes(),
                metrics.opened(),
                holes,
                lost + writer.dropped(),
                unjoined.sum(),
                writer.ended());
    }

    private Lane lane(TapConnection connection, Function<Lane, LaneObserver> above) {
        return Lane.open(connection, inbox, new MemoryBudget(LANE_MEMORY, memory), metrics, above);
    }

    private LaneObserver above(Lane lane) {
        RecordedConnection recorded = new RecordedConnection(lane, writer, ByteBufAllocator.DEFAULT, this::ended);
        open.add(recorded);
        if (stopped) {
            // after what it begins with
            lane.loop().execute(recorded::stop);
        }
        return recorded;
    }

    private void ended(RecordedConnection connection) {
        open.remove(connection);
        finishIfOver();
    }

    private void finishIfOver() {
        if (stopped && open.isEmpty() && !finished) {
            finished = true;
            writer.finish(closed::countDown);
        }
    }
}

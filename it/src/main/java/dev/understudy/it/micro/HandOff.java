package dev.understudy.it.micro;

import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneMetrics;
import dev.understudy.relay.lane.LaneObserver;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a tapped read costs the relay thread: the copy or view, its charge, its place in the lane's queue, and the
 * wake-up where one is due. The lane thread takes it and drops it; it is never more than some thousand reads behind.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HandOff {
    private static final int MOST_BEHIND = 4096;

    /** Bytes of a read: small ones are copied, large ones shared. */
    @Param({"100", "65536"})
    int bytes;

    private final AtomicLong taken = new AtomicLong();
    private EventLoops loops = EventLoops.open(1, 1);
    private ByteBuf read = loops.allocator().buffer(1, 1);
    private Lane lane = open(loops, taken);
    private long given;

    /** A lane, and what would have been read. */
    @Setup(Level.Trial)
    public void prepare() {
        read.release();
        read = loops.allocator().directBuffer(bytes, bytes).writeZero(bytes);
    }

    private static Lane open(EventLoops loops, AtomicLong taken) {
        InetSocketAddress nowhere = new InetSocketAddress(1);
        return Lane.open(
                new TapConnection(1, nowhere, nowhere, 0),
                loops,
                new MemoryBudget(1L << 40, null),
                new LaneMetrics(new SimpleMeterRegistry(), "bench"),
                null,
                lane -> new Dropping(taken));
    }

    /** One read, as {@code relay.TapHandler} hands it over. */
    @Benchmark
    public void read() {
        ByteBuf tapped = bytes < 2048
                ? loops.allocator().buffer(bytes, bytes).writeBytes(read, 0, bytes)
                : read.retainedDuplicate();
        lane.data(Direction.REQUEST, tapped, given);
        if ((++given & (MOST_BEHIND / 4 - 1)) == 0) {
            while (given - taken.get() > MOST_BEHIND) {
                Thread.onSpinWait();
            }
        }
    }

    /** Ends the lane and its threads. */
    @TearDown(Level.Trial)
    public void close() {
        lane.closed(CloseReason.FINISHED, given);
        loops.close();
    }

    private record Dropping(AtomicLong taken) implements LaneObserver {
        @Override
        public void data(Direction direction, ByteBuf data, long nanos) {
            data.release();
            taken.lazySet(taken.get() + 1);
        }

        @Override
        public void end(Direction direction, long nanos) {}

        @Override
        public void overflowed(LossReason reason, long bytesLost, long nanos) {
            throw new IllegalStateException("overflow: " + reason);
        }

        @Override
        public void closed(CloseReason reason, long nanos) {}
    }
}

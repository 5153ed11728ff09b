package dev.understudy.relay.lane;

import dev.understudy.relay.Bytes;
import dev.understudy.relay.RelayStage;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LaneTest {
    private final EventLoops loops = RelayStage.loops(RelayStage.transport());
    private final LaneMetrics metrics = new LaneMetrics(new SimpleMeterRegistry(), "test");
    private final MemoryBudget all = new MemoryBudget(100_000_000, null);
    private final CountDownLatch stall = new CountDownLatch(1);

    @AfterEach
    void nothing_isLeft() {
        stall.countDown();
        RelayStage.await("budget given back", () -> all.used() == 0);
        RelayStage.await("all buffers released", () -> loops.heldBytes() == 0);
        loops.close();
    }

    private Lane open(Recorder above, MemoryBudget budget) {
        InetSocketAddress nowhere = new InetSocketAddress(1);
        return Lane.open(new TapConnection(1, nowhere, nowhere, 0), loops.nextInbox(), budget, metrics, lane -> {
            above.lane = lane;
            above.events.add("opened on " + (lane.loop().inEventLoop() ? "lane loop" : "another thread"));
            return above;
        });
    }

    private void stallLanes() {
        loops.nextLane().execute(() -> {
            try {
                stall.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private ByteBuf bytes(int length) {
        return loops.allocator().buffer(length, length).writeZero(length);
    }

    @Test
    void events_arriveInOrderOnTheLaneLoop() {
        for (long seed = 1; seed <= 10; seed++) {
            Random random = new Random(seed);
            Recorder above = new Recorder();
            Lane lane = open(above, new MemoryBudget(50_000_000, all));
            lane.connected(1);
            MessageDigest sent = Bytes.sha256();
            for (int n = 0; n < 1000; n++) {
                byte[] piece = new byte[1 + random.nextInt(2000)];
                random.nextBytes(piece);
                sent.update(piece);
                lane.data(
                        Direction.REQUEST,
                        loops.allocator().buffer(piece.length).writeBytes(piece),
                        n);
            }
            lane.end(Direction.REQUEST, 2);
            lane.end(Direction.REPLY, 3);
            lane.closed(CloseReason.FINISHED, 4);
            RelayStage.await("end of seed " + seed, () -> above.over);
            assertThat(above.events)
                    .as("seed " + seed)
                    .containsExactly("opened on lane loop", "connected", "end REQUEST", "end REPLY", "closed FINISHED");
            assertThat(HexFormat.of().formatHex(above.hash.digest()))
                    .as("seed " + seed)
                    .isEqualTo(HexFormat.of().formatHex(sent.digest()));
        }
    }

    @Test
    void overflowOfTheLanesBudget_endsTheCopyAndCountsEveryByte() {
        stallLanes();
        Recorder above = new Recorder();
        Lane lane = open(above, new MemoryBudget(10_000, all));
        for (int n = 0; n < 10; n++) {
            lane.data(Direction.REQUEST, bytes(1500), n);
        }
        lane.data(Direction.REPLY, bytes(7), 10);
        lane.end(Direction.REQUEST, 11);
        lane.closed(CloseReason.RESET_BY_CLIENT, 12);
        stall.countDown();
        RelayStage.await("end", () -> above.over);
        // 1 500 bytes and 256 of overhead fit five times.
        assertThat(above.received).isEqualTo(7_500);
        assertThat(above.events)
                .containsExactly("opened on lane loop", "overflowed OVERFLOW_LANE 7507", "closed RESET_BY_CLIENT");
        assertThat(lane.bytesLost(Direction.REQUEST)).isEqualTo(7_500);
        assertThat(lane.bytesLost(Direction.REPLY)).isEqualTo(7);
        assertThat(metrics.losses()).containsOnlyKeys(LossReason.OVERFLOW_LANE);
        assertThat(metrics.lostBytes()).containsEntry(LossReason.OVERFLOW_LANE, 7_507L);
        assertThat(metrics.bytes(Direction.REQUEST)).isEqualTo(7_500);
    }

    @Test
    void overflowOfTheSharedBudget_hitsTheLaneThatAsksForMore() {
        stallLanes();
        MemoryBudget shared = new MemoryBudget(20_000, all);
        Recorder greedy = new Recorder();
        Recorder modest = new Recorder();
        Lane first = open(greedy, new MemoryBudget(50_000, shared));
        Lane second = open(modest, new MemoryBudget(50_000, shared));
        second.data(Direction.REQUEST, bytes(500), 1);
        for (int n = 0; n < 30; n++) {
            first.data(Direction.REQUEST, bytes(1000), n);
        }
        first.closed(CloseReason.FINISHED, 2);
        second.closed(CloseReason.FINISHED, 2);
        stall.countDown();
        RelayStage.await("end", () -> greedy.over && modest.over);
        assertThat(first.lossReason()).isEqualTo(LossReason.OVERFLOW_GLOBAL);
        assertThat(greedy.received + first.bytesLost(Direction.REQUEST)).isEqualTo(30_000);
        assertThat(second.lossReason()).isEqualTo(LossReason.NONE);
        assertThat(modest.received).isEqualTo(500);
    }

    @Test
    void entries_areBoundedWhateverTheBudget() {
        stallLanes();
        Recorder above = new Recorder();
        Lane lane = open(above, all);
        for (int n = 0; n < LaneQueue.MAX_ENTRIES + 500; n++) {
            lane.end(Direction.REQUEST, n);
        }
        lane.data(Direction.REQUEST, bytes(100), 1);
        lane.closed(CloseReason.FINISHED, 2);
        stall.countDown();
        RelayStage.await("end", () -> above.over);
        assertThat(lane.lossReason()).isEqualTo(LossReason.OVERFLOW_LANE);
        assertThat(above.events.stream().filter("end REQUEST"::equals)).hasSize(LaneQueue.MAX_ENTRIES);
        assertThat(lane.bytesLost(Direction.REQUEST)).isEqualTo(100);
    }

    @Test
    void throwingObserver_endsItsLaneOnly() {
        Recorder broken = new Recorder();
        broken.throwAfter = 3;
        Lane lane = open(broken, all);
        for (int n = 0; n < 10; n++) {
            lane.data(Direction.REPLY, bytes(100), n);
        }
        lane.closed(CloseReason.FINISHED, 2);
        RelayStage.await("end", () -> broken.over);
        assertThat(broken.events.get(1)).startsWith("overflowed INTERNAL");
        assertThat(lane.bytesLost(Direction.REPLY)).isEqualTo(700);
        assertThat(lane.lossReason()).isEqualTo(LossReason.INTERNAL);

        Recorder sound = new Recorder();
        Lane next = open(sound, all);
        next.data(Direction.REPLY, bytes(100), 1);
        next.closed(CloseReason.FINISHED, 2);
        RelayStage.await("end", () -> sound.over);
        assertThat(sound.received).isEqualTo(100);
    }

    @Test
    void laneWhoseObserverCannotBeMade_drops() {
        InetSocketAddress nowhere = new InetSocketAddress(1);
        Lane lane = Lane.open(new TapConnection(1, nowhere, nowhere, 0), loops.nextInbox(), all, metrics, above -> {
            throw new IllegalStateException("a defect on purpose");
        });
        lane.data(Direction.REQUEST, bytes(100), 1);
        lane.data(Direction.REQUEST, bytes(100), 1);
        lane.closed(CloseReason.FINISHED, 2);
        RelayStage.await("loss", () -> lane.bytesLost(Direction.REQUEST) == 200);
        RelayStage.await("end", () -> metrics.open() == 0);
        assertThat(lane.lossReason()).isEqualTo(LossReason.INTERNAL);
    }

    @Test
    void errorWhileSomethingIsKept_losesNothingUncounted_andLeavesTheLoopToTheOthers() {
        Recorder full = new Recorder();
        full.hasRoom = false;
        Lane lane = open(full, all);
        lane.data(Direction.REQUEST, bytes(100), 1);
        lane.data(Direction.REQUEST, new UncopiableBuffer(30), 2);
        lane.data(Direction.REPLY, bytes(7), 3);
        lane.closed(CloseReason.FINISHED, 4);
        RelayStage.await("end", () -> full.over);
        assertThat(full.received).isZero();
        assertThat(lane.bytesLost(Direction.REQUEST)).isEqualTo(130);
        assertThat(lane.bytesLost(Direction.REPLY)).isEqualTo(7);
        assertThat(full.events.get(1)).isEqualTo("overflowed INTERNAL 137");
        assertThat(metrics.waiting()).isZero();
    }

    @Test
    void entryThatFindsNoMemory_isLostAndCounted_andTheRelayHearsNothingOfIt() {
        Recorder above = new Recorder();
        Lane lane = open(above, all);
        lane.data(Direction.REQUEST, new UncopiableBuffer(100), 1);
        lane.closed(CloseReason.FINISHED, 2);
        RelayStage.await("end", () -> above.over);
        assertThat(lane.bytesLost(Direction.REQUEST)).isEqualTo(100);
        assertThat(lane.lossReason()).isEqualTo(LossReason.INTERNAL);
    }

    /** A buffer whose bytes can't be copied, nor its memory be charged if it has a hundred. */
    private static final class UncopiableBuffer extends UnpooledHeapByteBuf {
        UncopiableBuffer(int length) {
            super(UnpooledByteBufAllocator.DEFAULT, length, length);
            writeZero(length);
        }

        @Override
        public int capacity() {
            if (readableBytes() == 100) {
                throw new OutOfMemoryError("on purpose");
            }
            return super.capacity();
        }

        @Override
        public byte[] array() {
            throw new OutOfMemoryError("on purpose");
        }

        @Override
        public ByteBuffer nioBuffer(int index, int length) {
            throw new OutOfMemoryError("on purpose");
        }

        @Override
        public ByteBuffer internalNioBuffer(int index, int length) {
            throw new OutOfMemoryError("on purpose");
        }

        @Override
        public ByteBuf getBytes(int index, ByteBuf to, int toIndex, int length) {
            throw new OutOfMemoryError("on purpose");
        }
    }

    @Test
    void givingUp_dropsWhatIsOnItsWay() {
        Recorder above = new Recorder();
        Lane lane = open(above, all);
        RelayStage.await("lane", () -> above.lane != null);
        stallLanes();
        lane.data(Direction.REQUEST, bytes(100), 1);
        lane.loop().execute(() -> lane.giveUp(LossReason.DEBUG_CLOSED));
        stall.countDown();
        RelayStage.await("loss", () -> above.events.size() == 2);
        lane.data(Direction.REQUEST, bytes(11), 1);
        lane.closed(CloseReason.FINISHED, 2);
        RelayStage.await("end", () -> above.over);
        assertThat(above.received + lane.bytesLost(Direction.REQUEST)).isEqualTo(111);
        assertThat(lane.lossReason()).isEqualTo(LossReason.DEBUG_CLOSED);
    }

    /** Records what a lane tells it. */
    private static final class Recorder implements LaneObserver {
        final List<String> events = new ArrayList<>();
        final MessageDigest hash = Bytes.sha256();
        int throwAfter = Integer.MAX_VALUE;
        boolean hasRoom = true;
        long received;
        volatile @Nullable Lane lane;
        volatile boolean over;

        @Override
        public boolean hasRoom() {
            return hasRoom;
        }

        @Override
        public void connected(long nanos) {
            events.add("connected");
        }

        @Override
        public void data(Direction direction, ByteBuf data, long nanos) {
            byte[] piece = new byte[data.readableBytes()];
            data.readBytes(piece);
            data.release();
            hash.update(piece);
            received += piece.length;
            throwAfter--;
            if (throwAfter <= 0) {
                throw new IllegalStateException("a defect on purpose");
            }
            Lane from = lane;
            if (from != null && !from.loop().inEventLoop()) {
                events.add("data on another thread");
            }
        }

        @Override
        public void end(Direction direction, long nanos) {
            events.add("end " + direction);
        }

        @Override
        public void overflowed(LossReason reason, long bytesLost, long nanos) {
            events.add("overflowed " + reason + " " + bytesLost);
        }

        @Override
        public void closed(CloseReason reason, long nanos) {
            events.add("closed " + reason);
            over = true;
        }
    }
}

package dev.understudy.relay.lane;

import dev.understudy.relay.Bytes;
import dev.understudy.relay.RelayStage;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class BacklogTest {
    private static final int MIB = 1 << 20;

    @TempDir
    Path folder;

    private final EventLoops loops = RelayStage.loops(RelayStage.transport());
    private final LaneMetrics metrics = new LaneMetrics(new SimpleMeterRegistry(), "test");
    private final MemoryBudget all = new MemoryBudget(64 * MIB, null);
    private @Nullable Spill spill;
    private long connections;

    @AfterEach
    void nothing_isLeft() {
        RelayStage.await("budget given back", () -> all.used() == 0);
        RelayStage.await("nothing waits", () -> metrics.waiting() == 0);
        RelayStage.await("all buffers released", () -> loops.heldBytes() == 0);
        Spill disk = spill;
        if (disk != null) {
            RelayStage.await("disk given back", () -> disk.used() == 0);
            disk.close();
        }
        loops.close();
    }

    @Test
    void whatWaits_isToldInOrder_whateverTheBudgets() throws IOException {
        Spill disk = disk(64 * MIB);
        for (long seed = 1; seed <= 30; seed++) {
            Random random = new Random(seed);
            MemoryBudget budget = new MemoryBudget(256L << 10 << random.nextInt(4), all);
            Fussy above = new Fussy(random.nextInt(20));
            Lane lane = open(above, budget, disk);
            MessageDigest sent = Bytes.sha256();
            lane.connected(0);
            long total = 0;
            for (int n = 1; n <= 400; n++) {
                byte[] piece = new byte[1 + random.nextInt(random.nextInt(10) == 0 ? 100_000 : 2000)];
                random.nextBytes(piece);
                sent.update(piece);
                total += piece.length;
                lane.data(
                        Direction.REQUEST,
                        loops.allocator().buffer(piece.length).writeBytes(piece),
                        n);
                // gives the lane loop its turns: an overflow of the hand-off isn't what is tested
                RelayStage.await("seed " + seed + " handed over", () -> budget.used() < budget.capacity() / 2);
            }
            lane.end(Direction.REQUEST, 401);
            lane.closed(CloseReason.FINISHED, 402);
            above.wakeAlways();
            RelayStage.await("end of seed " + seed, () -> above.over);
            assertThat(lane.lossReason()).as("seed " + seed).isEqualTo(LossReason.NONE);
            assertThat(above.received.get()).as("seed " + seed).isEqualTo(total);
            assertThat(HexFormat.of().formatHex(above.hash.digest()))
                    .as("seed " + seed)
                    .isEqualTo(HexFormat.of().formatHex(sent.digest()));
            assertThat(above.events).as("seed " + seed).endsWith("end REQUEST", "closed FINISHED");
        }
        assertThat(disk.written()).as("went to disk").isGreaterThan(10L * MIB);
    }

    @Test
    void laneThatIsFull_spillsLongBeforeItsBudgetIsUsedUp() throws IOException {
        Spill disk = disk(256 * MIB);
        MemoryBudget budget = new MemoryBudget(4 * MIB, all);
        Fussy above = new Fussy(0);
        Lane lane = open(above, budget, disk);
        send(lane, budget, 100 * MIB);
        RelayStage.await("handed over", () -> metrics.waiting() == 100L * MIB);
        RelayStage.await("written", () -> budget.used() < 3L * MIB / 2);
        assertThat(disk.used()).isGreaterThan(98L * MIB);
        assertThat(budget.peak()).isLessThanOrEqualTo(4L * MIB);
        assertThat(above.waits).isEqualTo(1);
        lane.closed(CloseReason.FINISHED, 9);
        above.wakeAlways();
        RelayStage.await("end", () -> above.over);
        assertThat(above.received.get()).isEqualTo(100L * MIB);
        assertThat(above.waits).isEqualTo(-1);
        assertThat(lane.lossReason()).isEqualTo(LossReason.NONE);
    }

    @Test
    void sharedMemoryThatIsTight_spillsWhatEveryLaneHolds() throws IOException {
        Spill disk = disk(256 * MIB);
        MemoryBudget shared = new MemoryBudget(4 * MIB, null);
        List<Lane> lanes = new CopyOnWriteArrayList<>();
        List<Fussy> aboves = new CopyOnWriteArrayList<>();
        for (int n = 0; n < 40; n++) {
            MemoryBudget budget = new MemoryBudget(4 * MIB, shared);
            aboves.add(new Fussy(0));
            lanes.add(open(aboves.get(n), budget, disk));
            send(lanes.get(n), shared, MIB);
            // as whoever is above a lane does now and then while it has something to do
            lanes.forEach(lane -> lane.loop().execute(lane::resume));
        }
        assertThat(lanes).allSatisfy(lane -> assertThat(lane.lossReason()).isEqualTo(LossReason.NONE));
        for (int n = 0; n < 40; n++) {
            Fussy above = aboves.get(n);
            lanes.get(n).closed(CloseReason.FINISHED, 9);
            above.wakeAlways();
            RelayStage.await("end of lane " + n, () -> above.over);
            assertThat(above.received.get()).isEqualTo(MIB);
        }
        RelayStage.await("budget given back", () -> shared.used() == 0);
    }

    @Test
    void diskThatIsFull_endsTheCopyWithItsOwnReason_andCountsEveryByte() throws IOException {
        Spill disk = disk(16 * MIB);
        MemoryBudget budget = new MemoryBudget(4 * MIB, all);
        Fussy above = new Fussy(0);
        Lane lane = open(above, budget, disk);
        for (int n = 1; n <= 40 * 16; n++) {
            long sent = (long) n * (MIB / 16);
            lane.data(Direction.REQUEST, bytes(MIB / 16), 1);
            RelayStage.await("kept or lost", () -> metrics.waiting() + lane.bytesLost(Direction.REQUEST) == sent);
            RelayStage.await("written", () -> budget.used() < 2L * MIB || disk.used() > 15L * MIB);
        }
        RelayStage.await("overflow", () -> above.events.contains("overflowing OVERFLOW_DISK"));
        lane.closed(CloseReason.FINISHED, 9);
        assertThat(above.over).as("what waits comes first").isFalse();
        above.wakeAlways();
        RelayStage.await("end", () -> above.over);
        assertThat(lane.lossReason()).isEqualTo(LossReason.OVERFLOW_DISK);
        assertThat(above.received.get()).isGreaterThan(15L * MIB);
        assertThat(above.received.get() + lane.bytesLost(Direction.REQUEST)).isEqualTo(40L * MIB);
        assertThat(above.events).contains("overflowed OVERFLOW_DISK").endsWith("closed FINISHED");
    }

    @Test
    void fileThatIsDamaged_endsTheCopyWithItsOwnReason_andCountsEveryByte() throws IOException {
        Spill disk = disk(64 * MIB);
        MemoryBudget budget = new MemoryBudget(4 * MIB, all);
        Fussy above = new Fussy(0);
        Lane lane = open(above, budget, disk);
        send(lane, budget, 20 * MIB);
        RelayStage.await("handed over", () -> metrics.waiting() == 20L * MIB);
        RelayStage.await("written", () -> budget.used() < 3L * MIB / 2);
        try (Stream<Path> files = Files.list(disk.directory())) {
            for (Path file : files.filter(f -> !f.endsWith("lock")).toList()) {
                Files.write(file, new byte[100]);
            }
        }
        lane.closed(CloseReason.FINISHED, 9);
        above.wakeAlways();
        RelayStage.await("end", () -> above.over);
        assertThat(lane.lossReason()).isEqualTo(LossReason.SPILL_FAILED);
        assertThat(above.received.get() + lane.bytesLost(Direction.REQUEST)).isEqualTo(20L * MIB);
        assertThat(above.events).contains("overflowed SPILL_FAILED").endsWith("closed FINISHED");
    }

    @Test
    void laneThatIsGivenUp_leavesNothingOnDisk() throws IOException {
        Spill disk = disk(64 * MIB);
        MemoryBudget budget = new MemoryBudget(4 * MIB, all);
        Fussy above = new Fussy(0);
        Lane lane = open(above, budget, disk);
        send(lane, budget, 20 * MIB);
        lane.closed(CloseReason.FINISHED, 9);
        lane.loop().execute(() -> lane.giveUp(LossReason.SHUTDOWN));
        RelayStage.await("end", () -> above.over);
        assertThat(lane.bytesLost(Direction.REQUEST)).isEqualTo(20L * MIB);
        RelayStage.await("disk given back", () -> disk.used() == 0);
    }

    private Spill disk(long capacity) throws IOException {
        spill = Spill.open(folder, loops.allocator(), capacity);
        return spill;
    }

    private Lane open(Fussy above, MemoryBudget budget, @Nullable Spill disk) {
        InetSocketAddress nowhere = new InetSocketAddress(1);
        TapConnection connection = new TapConnection(++connections, nowhere, nowhere, 0);
        return Lane.open(connection, loops, budget, metrics, disk, lane -> {
            above.lane = lane;
            return above;
        });
    }

    private void send(Lane lane, MemoryBudget budget, int length) {
        for (int sent = 0; sent < length; sent += MIB / 16) {
            lane.data(Direction.REQUEST, bytes(MIB / 16), 1);
            RelayStage.await("handed over", () -> budget.used() < budget.capacity() * 3 / 4);
        }
    }

    private ByteBuf bytes(int length) {
        return loops.allocator().buffer(length, length).writeZero(length);
    }

    /** Takes some events, then none before it is woken. Confined to its lane loop but for what is volatile. */
    private static final class Fussy implements LaneObserver {
        final List<String> events = new CopyOnWriteArrayList<>();
        final MessageDigest hash = Bytes.sha256();
        volatile @Nullable Lane lane;
        final AtomicLong received = new AtomicLong();
        volatile int waits;
        volatile boolean over;
        private int appetite; // as it is made, then the loop's

        Fussy(int appetite) {
            this.appetite = appetite;
        }

        void wakeAlways() {
            Lane woken = lane;
            if (woken != null) {
                woken.loop().execute(() -> {
                    appetite = Integer.MAX_VALUE;
                    woken.resume();
                });
            }
        }

        @Override
        public boolean hasRoom() {
            return appetite-- > 0;
        }

        @Override
        public void waits(long oldestNanos) {
            waits = 1;
        }

        @Override
        public void waitsNoMore() {
            waits = -1;
        }

        @Override
        public void data(Direction direction, ByteBuf data, long nanos) {
            received.addAndGet(data.readableBytes());
            hash.update(data.nioBuffer());
            data.release();
        }

        @Override
        public void end(Direction direction, long nanos) {
            events.add("end " + direction);
        }

        @Override
        public void overflowing(LossReason reason, long nanos) {
            events.add("overflowing " + reason);
        }

        @Override
        public void overflowed(LossReason reason, long bytesLost, long nanos) {
            events.add("overflowed " + reason);
        }

        @Override
        public void closed(CloseReason reason, long nanos) {
            events.add("closed " + reason);
            over = true;
        }
    }
}

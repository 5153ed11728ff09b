package dev.understudy.relay.ring;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tap.TapFeed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Up to when two rings have been read. */
final class LaneRingsTest {
    private final DefaultEventExecutorGroup loops = new DefaultEventExecutorGroup(2);
    private final LongAdder failures = new LongAdder();
    private final List<Long> stamps = new ArrayList<>();
    private final List<Sender> senders = new ArrayList<>();

    @TempDir
    Path folder;

    private LaneRings rings;

    @BeforeEach
    void open() throws Exception {
        ControlBlock control = ControlBlock.create(folder.resolve("control"), List.of("shop"));
        RelayRings relay = RelayRings.create(folder, loops, RingFile.SMALLEST, control);
        control.want(0);
        for (Iterator<EventExecutor> each = loops.iterator(); each.hasNext(); ) {
            senders.add(new Sender(each.next(), relay, senders.size() + 1));
        }
        rings = lane();
    }

    private LaneRings lane() throws IOException {
        return LaneRings.open(
                folder,
                number -> connection -> new Stamps(),
                (listener, bytes) -> {},
                () -> {},
                ByteBufAllocator.DEFAULT);
    }

    @AfterEach
    void close() {
        loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        assertThat(failures.sum()).isZero();
    }

    @Test
    void moment_isNoLaterThanWhatAnyRingStillHolds() throws Exception {
        long begun = System.nanoTime();
        for (int n = 0; n < 700; n++) {
            senders.get(1).send(begun + n);
        }
        senders.get(0).send(begun + 700);
        assertThat(rings.handedOver() - begun).isNegative();
        rings.readSome();
        assertThat(stamps).contains(begun + 700).doesNotContain(begun + 699);
        while (stamps.size() < 701) {
            long moment = rings.handedOver();
            int before = stamps.size();
            assertThat(moment - begun).isNotNegative();
            rings.readSome();
            assertThat(stamps.subList(before, stamps.size())).isNotEmpty().allMatch(nanos -> nanos - moment > 0);
        }
        rings.readSome();
        assertThat(rings.handedOver() - begun - 700).isNotNegative();
    }

    @Test
    void moment_isNoLaterThanWhatWaitsForRoom() throws Exception {
        rings.readSome();
        long begun = System.nanoTime();
        Sender sender = senders.get(0);
        for (int n = 0; n < 3000; n++) {
            sender.send(begun + n);
        }
        CountDownLatch over = new CountDownLatch(1);
        sender.loop.submit(() -> over.await(1, TimeUnit.MINUTES));
        while (rings.readSome()) {
            // until the ring is empty
        }
        long last = stamps.get(stamps.size() - 1);
        assertThat(last - begun).isLessThan(2999);
        assertThat(rings.handedOver()).isEqualTo(last);
        over.countDown();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (stamps.get(stamps.size() - 1) == last && System.nanoTime() - end < 0) {
            rings.readSome();
        }
        assertThat(stamps).endsWith(last + 1);
    }

    @Test
    void moment_movesOn_whileNothingComes() {
        assertThat(rings.readSome()).as("the connections' beginnings").isTrue();
        for (int n = 0; n < 10; n++) {
            long before = System.nanoTime();
            assertThat(rings.readSome()).isFalse();
            assertThat(rings.handedOver()).isBetween(before, System.nanoTime());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void moment_isNotMoved_byStampsThatCantBe(int past) throws Exception {
        rings.readSome();
        long moment = rings.handedOver();
        for (int n = 0; n < 300; n++) {
            senders.get(0).send(n % 2 == past ? moment - 1_000_000_000_000L : moment + 1_000_000_000_000L);
        }
        rings.readSome();
        assertThat(rings.handedOver()).isBetween(moment, System.nanoTime());
    }

    @Test
    void momentOfOneThatHasEnded_isNow() {
        rings.start();
        rings.close();
        long before = System.nanoTime();
        assertThat(rings.handedOver()).isBetween(before, System.nanoTime());
    }

    /** One connection of one relay loop. */
    private final class Sender {
        private final EventExecutor loop;
        private final TapFeed feed;

        Sender(EventExecutor loop, RelayRings rings, long id) throws Exception {
            this.loop = loop;
            TapConnection connection = RingStage.connection(id);
            this.feed = loop.submit(() -> rings.carrier(0, new RingLosses()).open(connection, failures))
                    .get();
        }

        void send(long nanos) throws Exception {
            loop.submit(() -> feed.connected(nanos)).get();
        }
    }

    /** Notes when what it is told happened. */
    private final class Stamps implements Tap {
        @Override
        public void connected(long nanos) {
            stamps.add(nanos);
        }

        @Override
        public void data(Direction direction, ByteBuf data, long nanos) {
            data.release();
        }

        @Override
        public void end(Direction direction, long nanos) {}

        @Override
        public void lost(long requestBytes, long replyBytes, long nanos) {}

        @Override
        public void closed(CloseReason reason, long nanos) {}
    }
}

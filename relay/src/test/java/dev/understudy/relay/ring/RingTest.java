package dev.understudy.relay.ring;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Connection;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapFactory;
import dev.understudy.relay.tap.TapFeed;
import dev.understudy.relay.tap.TapRead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.relay.tap.Direction.REPLY;
import static dev.understudy.relay.tap.Direction.REQUEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Both ends of one ring, turn by turn. */
final class RingTest {
    private static final int CAPACITY = RingFile.SMALLEST;

    @TempDir
    Path folder;

    private final DefaultEventExecutorGroup loops = new DefaultEventExecutorGroup(1);
    private final LongAdder failures = new LongAdder();
    private final LongAdder unknownBytes = new LongAdder();
    private final RingLosses losses = new RingLosses();
    private final Map<Long, Seen> seen = new HashMap<>();
    private final Taps taps = new Taps();
    private boolean damaged;
    private ControlBlock control;
    private RelayRings rings;
    private RecordReceiver receiver;
    private RingReader reader;

    @BeforeEach
    void open() throws IOException {
        control = ControlBlock.create(folder.resolve("control"), 1);
        rings = RelayRings.create(folder, loops, CAPACITY, control);
        control.want(0);
        newReader();
    }

    @AfterEach
    void close() {
        loops.shutdownGracefully();
        assertThat(failures.sum()).isZero();
    }

    @Test
    void everything_arrivesInOrder_whateverThePieces() throws Exception {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            seen.clear();
            List<Sender> senders = new ArrayList<>();
            for (int n = 0; n < 5; n++) {
                senders.add(connect(n + 1));
            }
            for (int n = 0; n < 300; n++) {
                Sender sender = senders.get(random.nextInt(senders.size()));
                sender.send(random.nextBoolean() ? REQUEST : REPLY, bytes(random, random.nextInt(20_000)));
                while (random.nextBoolean() && reader.read()) {
                    // some turns
                }
                drainIfFull();
            }
            for (Sender sender : senders) {
                sender.close();
            }
            drain();
            for (Sender sender : senders) {
                Seen copy = seen(sender.id);
                assertThat(copy.bytes(REQUEST)).as("seed " + seed).isEqualTo(sender.sent(REQUEST));
                assertThat(copy.bytes(REPLY)).as("seed " + seed).isEqualTo(sender.sent(REPLY));
                assertThat(copy.events).as("seed " + seed).containsExactly("open", "connected", "closed FINISHED");
            }
            assertThat(receiver.open()).isZero();
            assertThat(receiver.damages()).isZero();
        }
        assertThat(losses.holes()).isZero();
        assertThat(losses.connections()).isZero();
    }

    @Test
    void readLongerThanARecord_isCut_andWhole() throws Exception {
        Sender sender = connect(1);
        byte[] bytes = bytes(new Random(1), 3 * TapRecord.LONGEST / 4);
        for (int n = 0; n < 4; n++) {
            sender.send(REPLY, bytes);
            drain();
        }
        assertThat(seen(1L).bytes(REPLY)).isEqualTo(sender.sent(REPLY));
    }

    @Test
    void fullRing_losesExactlyWhatItCounts_andSaysSoBeforeWhatFollows() throws Exception {
        Sender sender = connect(1);
        Sender other = connect(2);
        for (int n = 0; n < 100; n++) {
            sender.send(REQUEST, new byte[1000]);
            other.send(REPLY, new byte[500]);
        }
        drain();
        sender.send(REQUEST, "after".getBytes(StandardCharsets.US_ASCII));
        sender.close();
        other.close();
        drain();
        Seen copy = seen(1L);
        long lost = copy.lostRequestBytes;
        assertThat(lost).isPositive();
        assertThat(copy.bytes(REQUEST).length + lost).isEqualTo(100_005);
        assertThat(copy.events).containsExactly("open", "connected", "lost", "closed FINISHED");
        assertThat(seen(2L).bytes(REPLY).length + seen(2L).lostReplyBytes).isEqualTo(50_000);
        assertThat(losses.bytes(REQUEST)).isEqualTo(lost);
        assertThat(losses.bytes(REPLY)).isEqualTo(seen(2L).lostReplyBytes);
        assertThat(losses.holes()).isEqualTo(2);
    }

    @Test
    void endThatFindsNoRoom_comesAsSoonAsThereIsSome() throws Exception {
        Sender sender = connect(1);
        fill();
        sender.end(REQUEST);
        sender.close();
        drain();
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (seen(1L).events.size() < 5 && System.nanoTime() - deadline < 0) {
            reader.read();
        }
        assertThat(seen(1L).events).containsExactly("open", "connected", "lost", "end REQUEST", "closed FINISHED");
    }

    @Test
    void holeIsSaid_alsoIfNothingFollows() throws Exception {
        Sender sender = connect(1);
        fill();
        sender.send(REPLY, new byte[1000]);
        drain();
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (seen(1).lostReplyBytes == 0 && System.nanoTime() - deadline < 0) {
            reader.read();
        }
        assertThat(seen(1).lostReplyBytes).isEqualTo(1000);
    }

    @Test
    void connectionThatFindsNoRoom_isCounted_orBeginsInItsMidst() throws Exception {
        fill();
        Sender lost = connect(1);
        lost.send(REQUEST, new byte[100]);
        lost.close();
        assertThat(losses.connections()).isEqualTo(1);
        Sender late = connect(2);
        late.send(REQUEST, new byte[100]);
        late.send(REPLY, new byte[100]);
        drain();
        late.send(REQUEST, "from here".getBytes(StandardCharsets.US_ASCII));
        late.close();
        drain();
        assertThat(seen).doesNotContainKey(1L);
        assertThat(seen(2L).events).containsExactly("join", "connected", "closed FINISHED");
        assertThat(new String(seen(2L).bytes(REQUEST), StandardCharsets.US_ASCII))
                .isEqualTo("from here");
    }

    @Test
    void nextReader_goesOn_andOpenConnectionsBeginAnewAtTheirNextRequest() throws Exception {
        Sender old = connect(1);
        old.send(REQUEST, new byte[10]);
        drain();
        old.send(REPLY, new byte[20]);
        Sender inTheRing = connect(2);
        inTheRing.send(REQUEST, new byte[30]);

        newReader();
        seen.clear();
        control.want(0);
        drain();
        assertThat(unknownBytes.sum()).isEqualTo(20);
        assertThat(seen(2L).bytes(REQUEST)).hasSize(30);

        old.send(REPLY, new byte[1]);
        old.send(REQUEST, "again".getBytes(StandardCharsets.US_ASCII));
        drain();
        assertThat(seen(1L).events).containsExactly("join", "connected");
        assertThat(new String(seen(1L).bytes(REQUEST), StandardCharsets.US_ASCII))
                .isEqualTo("again");
    }

    @Test
    void whileNobodyWantsIt_nothingIsWritten() throws Exception {
        Sender sender = connect(1);
        drain();
        control.stop(0);
        sender.send(REQUEST, new byte[10]);
        assertThat(on(sender.feed::isIdle)).isTrue();
        sender.send(REPLY, new byte[10]);
        drain();
        assertThat(seen(1L).events).containsExactly("open", "connected", "closed UNTAPPED");
        control.want(0);
        sender.send(REQUEST, new byte[7]);
        drain();
        assertThat(seen(1L).events.subList(3, 5)).containsExactly("join", "connected");
        assertThat(seen(1L).bytes(REQUEST)).hasSize(7);
    }

    @Test
    void headThatCantBe_givesNoRoom_andHarmsNothing() throws Exception {
        Sender sender = connect(1);
        try (RandomAccessFile file =
                new RandomAccessFile(RelayRings.file(folder, 0).toFile(), "rw")) {
            for (long head : new long[] {-1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40}) {
                file.seek(512);
                file.writeLong(Long.reverseBytes(head));
                for (int n = 0; n < 200; n++) {
                    sender.send(REQUEST, new byte[1000]);
                }
            }
        }
        assertThat(losses.bytes(REQUEST)).isGreaterThan(800_000 - CAPACITY);
    }

    @Test
    void damagedRing_isGivenUp_andReadOnFromItsEnd() throws Exception {
        damaged = true;
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            Sender sender = connect(2 * seed);
            for (int n = 0; n < 20; n++) {
                sender.send(REQUEST, bytes(random, random.nextInt(3000)));
            }
            try (RandomAccessFile file =
                    new RandomAccessFile(RelayRings.file(folder, 0).toFile(), "rw")) {
                for (int n = 0; n < 200; n++) {
                    file.seek(RingFile.HEADER + random.nextInt(CAPACITY));
                    file.writeInt(random.nextInt());
                }
            }
            drain();
            sender.close();
            drain();
            Sender next = connect(2 * seed + 1);
            next.send(REQUEST, new byte[] {1, 2, 3});
            next.close();
            drain();
            assertThat(seen(next.id).bytes(REQUEST)).as("seed " + seed).containsExactly(1, 2, 3);
        }
        assertThat(receiver.damages()).isPositive();
    }

    @Test
    void tailThatCantBe_isNotFollowed() throws Exception {
        connect(1);
        drain();
        try (RandomAccessFile file =
                new RandomAccessFile(RelayRings.file(folder, 0).toFile(), "rw")) {
            for (long tail : new long[] {-1, 1L << 40, Long.MIN_VALUE}) {
                file.seek(256);
                file.writeLong(Long.reverseBytes(tail));
                reader.read();
            }
        }
        assertThat(receiver.damages()).isPositive();
        assertThat(receiver.open()).isZero();
    }

    @Test
    void filesThatAreNoRings_areRefused() throws IOException {
        Path small = Files.write(folder.resolve("small"), new byte[100]);
        Path empty = Files.write(folder.resolve("empty"), new byte[RingFile.HEADER + CAPACITY]);
        assertThatThrownBy(() -> RingFile.open(small)).hasMessageContaining("100 bytes (expected: a ring)");
        assertThatThrownBy(() -> RingFile.open(empty)).hasMessageContaining("not a ring");
        assertThatThrownBy(() -> ControlBlock.open(small)).hasMessageContaining("100 bytes");
        assertThatThrownBy(() -> RingFile.create(folder.resolve("odd"), 100_000))
                .hasMessageContaining("capacity: 100000 (expected: a power of two");
        assertThatThrownBy(() -> RingFile.create(RelayRings.file(folder, 0), CAPACITY))
                .isInstanceOf(IOException.class);
    }

    private Seen seen(long id) {
        return Objects.requireNonNull(seen.get(id));
    }

    private void newReader() throws IOException {
        receiver = new RecordReceiver(
                number -> number == 0 ? taps : null, ByteBufAllocator.DEFAULT, failures, unknownBytes);
        reader = RingReader.open(RelayRings.file(folder, 0), receiver);
    }

    /** Fills the ring with connections of no interest. */
    private void fill() throws Exception {
        Sender filler = connect(1_000_000);
        while (losses.bytes(REQUEST) == 0) {
            filler.send(REQUEST, new byte[1000]);
        }
        for (int n = 0; n < 1000; n++) {
            filler.end(REPLY);
        }
    }

    private void drain() {
        while (reader.read()) {
            // until nothing is left
        }
    }

    private void drainIfFull() {
        if (control.listeners() == 1) {
            drain();
        }
    }

    private Sender connect(long id) throws Exception {
        Sender sender = new Sender(id);
        on(() -> {
            sender.feed.connected(id);
            return null;
        });
        return sender;
    }

    private <T> T on(Callable<T> work) throws InterruptedException, ExecutionException {
        return loops.submit(work).get();
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The relay's end of a connection. */
    private final class Sender {
        private final long id;
        private final Map<Direction, ByteArrayOutputStream> sent = new HashMap<>();
        private final TapFeed feed;

        Sender(long id) throws Exception {
            this.id = id;
            InetSocketAddress nowhere = new InetSocketAddress("127.0.0.1", 1);
            Connection connection = new Connection(id, nowhere, nowhere, id, new byte[] {9}, "h2");
            this.feed = on(() -> rings.carrier(0, losses).open(connection, failures));
        }

        void send(Direction direction, byte[] bytes) throws Exception {
            sent.computeIfAbsent(direction, first -> new ByteArrayOutputStream())
                    .writeBytes(bytes);
            on(() -> {
                TapRead read = new TapRead();
                ByteBuf data = Unpooled.directBuffer().writeBytes(bytes);
                read.hold(direction, data, System.nanoTime());
                data.skipBytes(bytes.length).release();
                feed.read(read);
                read.release();
                assertThat(data.refCnt()).isZero();
                return null;
            });
        }

        void end(Direction direction) throws Exception {
            on(() -> {
                feed.end(direction, 1);
                return null;
            });
        }

        void close() throws Exception {
            on(() -> {
                feed.closed(CloseReason.FINISHED, 1);
                return null;
            });
        }

        byte[] sent(Direction direction) {
            ByteArrayOutputStream bytes = sent.get(direction);
            return bytes == null ? new byte[0] : bytes.toByteArray();
        }
    }

    /** What came out at the other end. */
    private static final class Seen implements Tap {
        private final List<String> events = new ArrayList<>();
        private final Map<Direction, ByteArrayOutputStream> bytes = new HashMap<>();
        private long lostRequestBytes;
        private long lostReplyBytes;

        byte[] bytes(Direction direction) {
            ByteArrayOutputStream all = bytes.get(direction);
            return all == null ? new byte[0] : all.toByteArray();
        }

        @Override
        public void connected(long nanos) {
            events.add("connected");
        }

        @Override
        public void data(Direction direction, ByteBuf data, long nanos) {
            byte[] piece = new byte[data.readableBytes()];
            data.readBytes(piece).release();
            bytes.computeIfAbsent(direction, first -> new ByteArrayOutputStream())
                    .writeBytes(piece);
        }

        @Override
        public void end(Direction direction, long nanos) {
            events.add("end " + direction);
        }

        @Override
        public void lost(long requestBytes, long replyBytes, long nanos) {
            events.add("lost");
            lostRequestBytes += requestBytes;
            lostReplyBytes += replyBytes;
        }

        @Override
        public void closed(CloseReason reason, long nanos) {
            events.add("closed " + reason);
        }
    }

    private final class Taps implements TapFactory {
        @Override
        public Tap open(Connection connection) {
            if (!damaged) {
                assertThat(connection.preface()).containsExactly(9);
                assertThat(connection.agreed()).isEqualTo("h2");
            }
            Seen copy = seen.computeIfAbsent(connection.id(), first -> new Seen());
            copy.events.add("open");
            return copy;
        }

        @Override
        public Tap join(Connection connection, boolean untouched) {
            Seen copy = seen.computeIfAbsent(connection.id(), first -> new Seen());
            copy.events.add("join");
            return copy;
        }
    }
}

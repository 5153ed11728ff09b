package dev.understudy.relay.ring;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tap.TapFactory;
import dev.understudy.relay.tap.TapFeed;
import dev.understudy.relay.tap.TapRead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
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
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.relay.tap.Direction.REPLY;
import static dev.understudy.relay.tap.Direction.REQUEST;
import static org.assertj.core.api.Assertions.assertThat;

/** Both ends of one ring, turn by turn, on the threads of one process. */
abstract class RingStage {
    static final int CAPACITY = RingFile.SMALLEST;

    @TempDir
    Path folder;

    final DefaultEventExecutorGroup loops = new DefaultEventExecutorGroup(1);
    final LongAdder failures = new LongAdder();
    final LongAdder unknownBytes = new LongAdder();
    final RingLosses losses = new RingLosses();
    final Map<Long, Seen> seen = new HashMap<>();
    final Taps taps = new Taps();
    boolean damaged;
    Runnable onData = () -> {};
    ControlBlock control;
    RelayRings rings;
    RecordReceiver receiver;
    RingReader reader;

    @BeforeEach
    void open() throws IOException {
        control = ControlBlock.create(folder.resolve("control"), List.of("shop"));
        rings = RelayRings.create(folder, loops, CAPACITY, control);
        control.want(0);
        newReader();
    }

    @AfterEach
    void close() {
        loops.shutdownGracefully();
        assertThat(failures.sum()).isZero();
    }

    Seen seen(long id) {
        return Objects.requireNonNull(seen.get(id));
    }

    final void newReader() throws IOException {
        receiver = new RecordReceiver(
                number -> number == 0 ? taps : null,
                ByteBufAllocator.DEFAULT,
                failures,
                (listener, bytes) -> unknownBytes.add(bytes));
        reader = RingReader.open(RelayRings.file(folder, 0), receiver);
    }

    /** Fills the ring with connections of no interest. */
    void fill() throws Exception {
        Sender filler = connect(1_000_000);
        while (losses.bytes(REQUEST) == 0) {
            filler.send(REQUEST, new byte[1000]);
        }
        for (int n = 0; n < 1000; n++) {
            filler.end(REPLY);
        }
    }

    void drain() {
        while (reader.read()) {
            // until nothing is left
        }
    }

    void drainIfFull() {
        if (control.listeners() == 1) {
            drain();
        }
    }

    Sender connect(long id) throws Exception {
        Sender sender = new Sender(id);
        on(() -> {
            sender.feed.connected(id);
            return null;
        });
        return sender;
    }

    static TapConnection connection(long id) {
        InetSocketAddress nowhere = new InetSocketAddress("127.0.0.1", 1);
        return new TapConnection(id, nowhere, nowhere, id, new byte[] {9}, "h2");
    }

    <T> T on(Callable<T> work) throws InterruptedException, ExecutionException {
        return loops.submit(work).get();
    }

    static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The relay's end of a connection. */
    final class Sender {
        final long id;
        final Map<Direction, ByteArrayOutputStream> sent = new HashMap<>();
        final TapFeed feed;

        Sender(long id) throws Exception {
            this.id = id;
            this.feed = on(() -> rings.carrier(0, losses).open(connection(id), failures));
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
    final class Seen implements Tap {
        final List<String> events = new ArrayList<>();
        final Map<Direction, ByteArrayOutputStream> bytes = new HashMap<>();
        long lostRequestBytes;
        long lostReplyBytes;
        long closedNanos;

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
            onData.run();
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
            closedNanos = nanos;
        }
    }

    private final class Taps implements TapFactory {
        @Override
        public Tap open(TapConnection connection) {
            if (!damaged) {
                assertThat(connection.preface()).containsExactly(9);
                assertThat(connection.agreed()).isEqualTo("h2");
            }
            Seen copy = seen.computeIfAbsent(connection.id(), first -> new Seen());
            copy.events.add("open");
            return copy;
        }

        @Override
        public Tap join(TapConnection connection, boolean untouched) {
            Seen copy = seen.computeIfAbsent(connection.id(), first -> new Seen());
            copy.events.add("join");
            return copy;
        }
    }
}

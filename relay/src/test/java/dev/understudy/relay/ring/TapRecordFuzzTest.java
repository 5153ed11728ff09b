package dev.understudy.relay.ring;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.understudy.relay.Splits;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tap.TapFactory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Any bytes as the records of a ring: they are read to their end or given up, taps are told what can be, and the bytes
 * that taps got, with those of unknown connections, are no more than came.
 *
 * <p>One ring is used for all. Each input begins 128 bytes before the ring's end, with no connection open.
 */
class TapRecordFuzzTest {
    private static final int CAPACITY = RingFile.SMALLEST;
    private static final int BEFORE_THE_END = 128;

    private static final LongAdder failures = new LongAdder();
    private static final Told told = new Told();
    private static final RecordReceiver receiver = new RecordReceiver(
            number -> number < 2 ? told : null,
            UnpooledByteBufAllocator.DEFAULT,
            failures,
            (listener, bytes) -> told.bytes += bytes);
    private static final Ring ring = Ring.make();

    @FuzzTest
    void records(byte[] input) throws Exception {
        int size = Math.min(TapRecord.size(input.length), CAPACITY / 2);
        Splits.bounded(input.length, () -> {
            told.bytes = 0;
            ring.write(input, size);
            ring.drain();
            assertThat(told.bytes).isLessThanOrEqualTo(size - TapRecord.HEADER);
            ring.write(new byte[0], CAPACITY - size);
            ring.drain();
            return told.bytes;
        });
        assertThat(receiver.open()).isZero();
        assertThat(told.open).as("taps that weren't closed").isZero();
        assertThat(failures.sum()).as("failures of taps").isZero();
    }

    /** Both ends of a ring. */
    private record Ring(RingFile file, ByteBuffer bytes, RingReader reader) {
        static Ring make() {
            try {
                Path file = Files.createTempDirectory("records").resolve("ring");
                RingFile created = RingFile.create(file, CAPACITY);
                Ring made = new Ring(created, created.view(), RingReader.open(file, receiver));
                Files.delete(file);
                Files.delete(file.getParent());
                made.write(new byte[0], CAPACITY - BEFORE_THE_END);
                made.drain();
                return made;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /** Behind them is a zero, which is no record. */
        void write(byte[] records, int size) {
            long tail = file.tail();
            for (int i = 0; i < Math.min(size, records.length + TapRecord.HEADER); i++) {
                int at = RingFile.HEADER + (int) ((tail + i) & (CAPACITY - 1));
                bytes.put(at, i < records.length ? records[i] : 0);
            }
            file.tail(tail + size);
        }

        void drain() {
            int turns = 0;
            while (reader.read()) {
                assertThat(turns++).as("turns").isLessThan(CAPACITY);
            }
            assertThat(file.head()).isEqualTo(file.tail());
        }
    }

    /** Counts, and checks the order of what it is told. */
    private static final class Told implements TapFactory {
        long bytes;
        int open;

        @Override
        public Tap open(TapConnection connection) {
            assertThat(connection.client()).isNotNull();
            return new One();
        }

        @Override
        public Tap join(TapConnection connection, boolean untouched) {
            return open(connection);
        }

        private final class One implements Tap {
            private boolean closed;

            One() {
                open++;
            }

            @Override
            public void data(Direction direction, ByteBuf data, long nanos) {
                bytes += data.readableBytes();
                data.release();
                assertThat(closed).isFalse();
            }

            @Override
            public void end(Direction direction, long nanos) {
                assertThat(closed).isFalse();
            }

            @Override
            public void lost(long requestBytes, long replyBytes, long nanos) {
                assertThat(closed || requestBytes < 0 || replyBytes < 0).isFalse();
            }

            @Override
            public void closed(CloseReason reason, long nanos) {
                assertThat(closed).isFalse();
                closed = true;
                open--;
            }
        }
    }
}

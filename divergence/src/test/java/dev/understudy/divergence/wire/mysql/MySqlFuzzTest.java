package dev.understudy.divergence.wire.mysql;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.understudy.divergence.wire.Splits;
import dev.understudy.divergence.wire.mysql.command.BoundValue;
import dev.understudy.divergence.wire.mysql.command.Execute;
import dev.understudy.divergence.wire.mysql.command.QueryText;
import dev.understudy.divergence.wire.mysql.command.UserChange;
import dev.understudy.divergence.wire.mysql.result.PrepareReader;
import dev.understudy.divergence.wire.mysql.result.ResultReader;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Any bytes, as packets and as what is in them: packets are the same in any pieces, with each byte accounted for; what
 * is in them is whole, and read or malformed.
 */
class MySqlFuzzTest {
    private static final int MOST = 64 << 20;
    private static final byte[] COLUMN =
            new MySqlWriter().value("def").value("c").toBytes();

    @FuzzTest
    void packets(byte[] input) {
        Splits.alike(input, pieces -> cut(input, pieces, MOST));
    }

    @FuzzTest
    void packetsInPieces(byte[] input) {
        Splits.alike(input, pieces -> cut(input, pieces, 20));
    }

    private static List<String> cut(byte[] input, List<ByteBuffer> pieces, int whole) {
        Packets packets = new Packets();
        PacketFramer framer = new PacketFramer(packets, MOST, whole);
        long held = 0;
        for (ByteBuffer piece : pieces) {
            framer.feed(piece);
            held = Math.max(held, framer.heldMemory());
        }
        assertThat(held).isLessThan(1_000 + 2L * input.length);
        long header = input.length - packets.bytes - framer.heldBytes();
        assertThat(header).as("bytes neither told nor held").isBetween(0L, 4L);
        return packets.events;
    }

    /** The first four bytes are what both sides agreed on. */
    @FuzzTest
    void results(byte[] input) {
        Splits.alike(rest(input), pieces -> {
            Capabilities agreed = agreed(input);
            ResultReader results = new ResultReader(agreed, List.of(COLUMN));
            PrepareReader prepared = new PrepareReader(agreed);
            List<String> read = new ArrayList<>();
            Packets packets = new Packets();
            PacketFramer framer = new PacketFramer(packets, MOST);
            pieces.forEach(framer::feed);
            for (byte[] payload : packets.payloads) {
                String result = outcome(() -> results.read(payload));
                String prepare = outcome(() -> prepared.read(payload));
                read.add(result + prepare);
                if (!result.equals("false") && !prepare.equals("false")) {
                    break;
                }
            }
            assertThat(results.results()).hasSizeLessThanOrEqualTo(packets.payloads.size());
            return read;
        });
    }

    /** One packet's, which is never read in pieces. The first four bytes are what both sides agreed on. */
    @FuzzTest
    void payloads(byte[] input) {
        Splits.repeatable(input, () -> {
            Capabilities agreed = agreed(input);
            byte[] payload = rest(input);
            List<String> read = new ArrayList<>();
            read.add(outcome(() -> ServerGreeting.read(payload)));
            read.add(outcome(() -> Login.read(payload, agreed)));
            read.add(outcome(() -> UserChange.read(payload, agreed)));
            read.add(outcome(() -> shown(QueryText.read(payload, agreed).attributes())));
            read.add(outcome(() -> shown(Execute.read(payload, agreed, 3, null, Map.of(1, new byte[] {1}))
                    .values())));
            read.add(outcome(() ->
                    Execute.readBeginning(payload, agreed, 3, null).values().size()));
            read.add(outcome(() -> shown(Execute.readBulk(payload, 3, null).values())));
            return read;
        });
    }

    private static List<String> shown(List<BoundValue> values) {
        return values.stream()
                .map(value -> value.display() + Arrays.hashCode(value.canonical()))
                .toList();
    }

    private static String outcome(Supplier<?> reading) {
        try {
            return String.valueOf(reading.get());
        } catch (MalformedPacketException expected) {
            assertThat(expected.getMessage()).isNotEmpty();
            return String.valueOf(expected.getMessage());
        }
    }

    private static Capabilities agreed(byte[] input) {
        return new Capabilities(input.length < 4 ? 0 : ByteBuffer.wrap(input).getInt() & 0xffff_ffffL);
    }

    private static byte[] rest(byte[] input) {
        return input.length < 4 ? new byte[0] : Arrays.copyOfRange(input, 4, input.length);
    }

    /** Keeps the packets, and counts the bytes that they had on the wire as far as they were told. */
    private static final class Packets implements PacketSink {
        final List<String> events = new ArrayList<>();
        final List<byte[]> payloads = new ArrayList<>();
        long bytes;

        @Override
        public void packet(int sequence, byte[] payload) {
            payloads.add(payload);
            bytes += 4 + payload.length;
            events.add(sequence + ":" + Arrays.hashCode(payload));
        }

        @Override
        public void oversized(long atLeast) {
            events.add("oversized " + atLeast);
        }

        @Override
        public @Nullable PacketTaker large(int sequence, int first, int length) {
            events.add("large " + sequence + " " + first + " " + length);
            return first >= 128 ? null : new Taken();
        }

        private final class Taken implements PacketTaker {
            private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

            @Override
            public void part(int length) {
                bytes += 4;
                events.add("part " + length);
            }

            @Override
            public void bytes(ByteBuffer some) {
                bytes += some.remaining();
                while (some.hasRemaining()) {
                    taken.write(some.get());
                }
            }

            @Override
            public void end() {
                events.add("taken " + Arrays.hashCode(taken.toByteArray()));
            }
        }
    }
}

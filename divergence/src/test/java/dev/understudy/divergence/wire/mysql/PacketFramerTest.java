package dev.understudy.divergence.wire.mysql;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PacketFramerTest {
    private final List<String> seen = new ArrayList<>();
    private final PacketSink sink = new PacketSink() {
        @Override
        public void packet(int sequence, byte[] payload) {
            seen.add(sequence + ":" + payload.length + ":" + Arrays.hashCode(payload));
        }

        @Override
        public void oversized(long atLeast) {
            seen.add("oversized " + atLeast);
        }
    };

    @Test
    void anyChunking_givesTheSamePackets() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            ByteArrayOutputStream wire = new ByteArrayOutputStream();
            List<String> expected = new ArrayList<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                byte[] payload = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(900)];
                random.nextBytes(payload);
                write(wire, i, payload);
                expected.add(i + ":" + payload.length + ":" + Arrays.hashCode(payload));
            }
            seen.clear();
            PacketFramer framer = new PacketFramer(sink, 1000);
            byte[] bytes = wire.toByteArray();
            for (int at = 0; at < bytes.length; ) {
                int length = Math.min(bytes.length - at, 1 + random.nextInt(random.nextBoolean() ? 3 : 700));
                framer.feed(ByteBuffer.wrap(bytes, at, length));
                at += length;
            }
            assertThat(seen).as("seed " + seed).isEqualTo(expected);
            assertThat(framer.heldBytes()).isZero();
        }
    }

    @Test
    void fullParts_areContinued() {
        byte[] payload = new byte[PacketFramer.FULL];
        payload[5] = 1;
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        write(wire, 3, payload);
        write(wire, 4, new byte[] {7, 8});
        write(wire, 9, payload);
        write(wire, 10, new byte[0]);
        new PacketFramer(sink, 1 << 25).feed(ByteBuffer.wrap(wire.toByteArray()));
        byte[] joined = Arrays.copyOf(payload, payload.length + 2);
        joined[payload.length] = 7;
        joined[payload.length + 1] = 8;
        assertThat(seen)
                .containsExactly(
                        "3:" + joined.length + ":" + Arrays.hashCode(joined),
                        "9:" + payload.length + ":" + Arrays.hashCode(payload));
    }

    @Test
    void announcedLength_allocatesNothing() {
        PacketFramer framer = new PacketFramer(sink, Integer.MAX_VALUE);
        framer.feed(ByteBuffer.wrap(new byte[] {-2, -1, -1, 0, 1}));
        assertThat(framer.heldBytes()).isEqualTo(1);
        assertThat(seen).isEmpty();
    }

    @Test
    void beyondTheLimit_isToldOnceAndNothingFollows() {
        PacketFramer framer = new PacketFramer(sink, 10);
        framer.feed(ByteBuffer.wrap(new byte[] {11, 0, 0, 0, 1, 2, 3}));
        framer.feed(ByteBuffer.wrap(new byte[] {1, 0, 0, 0, 1}));
        assertThat(seen).containsExactly("oversized 11");
    }

    @Test
    void anyChunking_givesLongPacketsToWhoeverTakesThem() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            ByteArrayOutputStream wire = new ByteArrayOutputStream();
            List<String> expected = new ArrayList<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                byte[] payload = new byte[random.nextInt(1_200)];
                random.nextBytes(payload);
                write(wire, i, payload);
                boolean taken = payload.length > 400 && payload[0] >= 0;
                expected.add((taken ? "taken " : "") + i + ":" + payload.length + ":" + Arrays.hashCode(payload));
                if (payload.length > 1_000 && !taken) {
                    expected.set(expected.size() - 1, "oversized " + payload.length);
                    break;
                }
            }
            seen.clear();
            PacketFramer framer = new PacketFramer(new Taking(), 1_000, 400);
            byte[] bytes = wire.toByteArray();
            for (int at = 0; at < bytes.length; ) {
                int length = Math.min(bytes.length - at, 1 + random.nextInt(random.nextBoolean() ? 3 : 700));
                framer.feed(ByteBuffer.wrap(bytes, at, length));
                at += length;
            }
            assertThat(seen).as("seed " + seed).isEqualTo(expected);
        }
    }

    @Test
    void longPacketOfSeveralParts_isTakenPartByPart() {
        byte[] payload = new byte[PacketFramer.FULL];
        payload[5] = 1;
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        write(wire, 3, payload);
        write(wire, 4, new byte[0]);
        write(wire, 1, new byte[] {9});
        PacketFramer framer = new PacketFramer(new Taking(), 1 << 25, 1_000);
        framer.feed(ByteBuffer.wrap(wire.toByteArray()));
        assertThat(framer.heldBytes()).isZero();
        assertThat(seen)
                .containsExactly(
                        "taken 3:" + payload.length + ":" + Arrays.hashCode(payload),
                        "1:1:" + Arrays.hashCode(new byte[] {9}));
    }

    /** Takes long packets that begin with less than 128. */
    private final class Taking implements PacketSink {
        @Override
        public void packet(int sequence, byte[] payload) {
            sink.packet(sequence, payload);
        }

        @Override
        public void oversized(long atLeast) {
            sink.oversized(atLeast);
        }

        @Override
        public @Nullable PacketTaker large(int sequence, int first, int length) {
            ByteArrayOutputStream taken = new ByteArrayOutputStream();
            return first >= 128
                    ? null
                    : new PacketTaker() {
                        private int announced;

                        @Override
                        public void part(int bytes) {
                            announced += bytes;
                        }

                        @Override
                        public void bytes(ByteBuffer some) {
                            byte[] copy = new byte[some.remaining()];
                            some.get(copy);
                            taken.writeBytes(copy);
                        }

                        @Override
                        public void end() {
                            assertThat(taken.size()).isEqualTo(announced);
                            byte[] all = taken.toByteArray();
                            seen.add("taken " + sequence + ":" + all.length + ":" + Arrays.hashCode(all));
                        }
                    };
        }
    }

    static void write(ByteArrayOutputStream wire, int sequence, byte[] payload) {
        wire.writeBytes(new MySqlWriter().int24(payload.length).int8(sequence).toBytes());
        wire.writeBytes(payload);
    }
}

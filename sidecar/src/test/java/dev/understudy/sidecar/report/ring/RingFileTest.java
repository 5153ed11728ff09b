package dev.understudy.sidecar.report.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class RingFileTest {
    /** A ring as the agent must write it; the same text is in the test of that. */
    private static final String AS_DOCUMENTED =
            "5553544452494e470100000040000000030000006712000000401e18240a06001b000000000000000000000000000000"
                    + "000000000000000000000000000000000100130007000000636f6d2e73686f702e4361727423746f74616c0000000000"
                    + "000000000000000000000000000000000000000000000000000000000000000001000000000000000101000007000000"
                    + "01401e18240a0600dc05000000000000b004000000000000ffffffffffffffff31332069716badb7170000007282bd2d"
                    + "0200000000000000030000000700000002401e18240a0600020000000000000000000000000000000000000000000000"
                    + "000000000000000000000000dde882420000000000000000000000000000000000000000000000000000000000000000"
                    + "0000000000000000000000000000000000000000000000000000000000000000";

    private static final int SLOTS = 64 + 64;

    private final byte[] whole = HexFormat.of().parseHex(AS_DOCUMENTED);

    @Test
    void aRing_isReadAsItIsDocumented() throws IOException {
        AgentRingFile ring = read(whole);

        assertThat(ring.pid()).isEqualTo(4711);
        assertThat(ring.torn()).isZero();
        assertThat(ring.records())
                .extracting(RingRecord::line)
                .containsExactly(
                        "2023-11-14T22:13:20.000001Z call com.shop.Cart#total micros=1.500 cpuMicros=1.200"
                                + " span=b7ad6b7169203331 thread=23 threw=true",
                        "2023-11-14T22:13:20.000002Z stance com.shop.Cart#total stance=off");
    }

    @Test
    void aSlotThatWasBeingWritten_isTorn_andTheOthersAreRead() throws IOException {
        for (int offset : new int[] {0, 8, 12, 16, 24, 32, 40, 48, 56, 60}) {
            byte[] torn = whole.clone();
            torn[SLOTS + offset] ^= 1;
            AgentRingFile ring = read(torn);

            assertThat(ring.torn()).as("offset %d", offset).isEqualTo(1);
            assertThat(ring.records())
                    .as("offset %d", offset)
                    .singleElement()
                    .extracting(RingRecord::number)
                    .isEqualTo(2L);
        }
    }

    @Test
    void aRecordInAnothersPlace_isNone() throws IOException {
        byte[] moved = whole.clone();
        System.arraycopy(whole, SLOTS, moved, SLOTS + 128, 64);

        assertThat(read(moved).torn()).isEqualTo(1);
        assertThat(read(moved).records()).hasSize(2);
    }

    @Test
    void withoutItsName_aMethodIsItsProbesNumber() throws IOException {
        byte[] nameless = whole.clone();
        nameless[32] = 0;

        assertThat(read(nameless).records()).extracting(RingRecord::subject).containsOnly("probe 7");
    }

    @Test
    void whatIsNoRing_isSaidToBeNone() {
        assertThatThrownBy(() -> read(new byte[0]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("USTDRING");
        byte[] newer = whole.clone();
        newer[8] = 2;
        assertThatThrownBy(() -> read(newer)).hasMessageContaining("its version is 2 (expected: 1)");
        byte[] cut = java.util.Arrays.copyOf(whole, whole.length - 1);
        assertThatThrownBy(() -> read(cut)).hasMessageContaining("shorter than it says");
    }

    @Test
    void mutatedAndRandomFiles_areReadOrRefused_andNothingElseIsThrown() {
        long seed = 20_262;
        Random random = new Random(seed);
        int read = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = whole.clone();
            if (round % 4 == 0) {
                random.nextBytes(bytes);
                System.arraycopy(whole, 0, bytes, 0, round % 8 == 0 ? 12 : 64);
            }
            for (int i = random.nextInt(8); i > 0; i--) {
                bytes[random.nextInt(round % 3 == 0 ? 64 : bytes.length)] = (byte) random.nextInt();
            }
            bytes = java.util.Arrays.copyOf(
                    bytes, random.nextInt(5) == 0 ? random.nextInt(bytes.length) : bytes.length);
            try {
                AgentRingFile ring = read(bytes);
                ring.records()
                        .forEach(record ->
                                assertThat(record.line() + record.fields()).isNotEmpty());
                read++;
            } catch (IOException refused) {
                assertThat(refused.getMessage()).isNotBlank();
            } catch (RuntimeException problem) {
                throw new AssertionError("seed " + seed + ", round " + round, problem);
            }
        }
        assertThat(read).isGreaterThan(5_000);
    }

    private static AgentRingFile read(byte[] bytes) throws IOException {
        return AgentRingFile.parse(ByteBuffer.wrap(bytes));
    }
}

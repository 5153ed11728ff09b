package dev.understudy.agent.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
@Timeout(60)
final class RingTest {
    /** A ring as {@code understudy ring show} must read it; the same text is in the test of that. */
    private static final String AS_DOCUMENTED =
            "5553544452494e470100000040000000030000006712000000401e18240a06001b000000000000000000000000000000"
                    + "000000000000000000000000000000000100130007000000636f6d2e73686f702e4361727423746f74616c0000000000"
                    + "000000000000000000000000000000000000000000000000000000000000000001000000000000000101000007000000"
                    + "01401e18240a0600dc05000000000000b004000000000000ffffffffffffffff31332069716badb7170000007282bd2d"
                    + "0200000000000000030000000700000002401e18240a0600020000000000000000000000000000000000000000000000"
                    + "000000000000000000000000dde882420000000000000000000000000000000000000000000000000000000000000000"
                    + "0000000000000000000000000000000000000000000000000000000000000000";

    private static final int HEAD = 64;

    @TempDir
    Path folder;

    @Test
    void theFormat_isTheOneThatIsDocumented() {
        ByteBuffer memory = ByteBuffer.allocateDirect(HEAD + 64 + 3 * 64);
        Ring ring = Ring.begin(memory, 64, 3, 4711, 1_700_000_000_000_000L);
        ring.name(Ring.METHOD_NAME, 7, "com.shop.Cart#total");
        ring.write(Ring.CALL | Ring.THREW, 7, 1_700_000_000_000_001L, 1_500, 1_200, -1, 0xb7ad6b7169203331L, 23);
        ring.write(Ring.STANCE, 7, 1_700_000_000_000_002L, 2, 0, 0, 0, 0);

        byte[] bytes = new byte[memory.capacity()];
        memory.get(0, bytes);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(AS_DOCUMENTED);
    }

    @Test
    void theOldest_areOverwritten_byManyThreadsAtOnce() throws InterruptedException {
        int slots = 64;
        ByteBuffer memory = ByteBuffer.allocateDirect(HEAD + 64 + slots * 64);
        Ring ring = Ring.begin(memory, 64, slots, 1, 0);
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int writer = i;
            Thread thread = new Thread(() -> {
                for (int call = 0; call < 10_000; call++) {
                    ring.write(Ring.CALL, writer, call, 1, 2, 3, 4, 5);
                }
            });
            writers.add(thread);
            thread.start();
        }
        for (Thread writer : writers) {
            writer.join();
        }
        memory.order(ByteOrder.LITTLE_ENDIAN);
        List<Long> kept = new ArrayList<>();
        for (int slot = 0; slot < slots; slot++) {
            kept.add(memory.getLong(HEAD + 64 + slot * 64));
        }
        assertThat(kept).filteredOn(number -> number > 40_000 - slots).hasSizeGreaterThan(slots * 3 / 4);
        assertThat(kept).allSatisfy(number -> assertThat(number).isBetween(0L, 40_000L));
    }

    @Test
    void namesThatHaveNoRoom_areLeftOut() {
        Ring ring = Ring.begin(ByteBuffer.allocateDirect(HEAD + 64 + 64), 64, 1, 1, 0);

        assertThat(ring.name(Ring.METHOD_NAME, 1, "a".repeat(40))).isTrue();
        assertThat(ring.name(Ring.METHOD_NAME, 2, "b".repeat(40))).isFalse();
    }

    @Test
    void aFile_hasItsSizeFromTheStart_andWhatWasThereIsKept() throws IOException {
        Path file = folder.resolve("agent.ring");
        Files.writeString(file, "what a killed JVM left");
        Ring.open(file, 1 << 20, 5).write(Ring.CALL, 1, 2, 3, 4, 5, 6, 7);

        assertThat(Files.size(file)).isBetween((1L << 20) - 64, 1L << 20);
        assertThat(Files.readString(folder.resolve("agent.ring.old"))).isEqualTo("what a killed JVM left");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.readAllBytes(file)).startsWith('U', 'S', 'T', 'D', 'R', 'I', 'N', 'G');
    }
}

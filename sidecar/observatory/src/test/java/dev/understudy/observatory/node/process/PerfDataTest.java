package dev.understudy.observatory.node.process;

import dev.understudy.observatory.node.kernel.KernelFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The perf data of the JVM that runs this test. */
@Tag("process")
final class PerfDataTest {
    private static final Path PROC = Path.of("/proc");

    @TempDir
    Path folder;

    private static byte[] own() throws IOException {
        KernelFile file = PerfFile.open(PROC, (int) ProcessHandle.current().pid());
        assumeTrue(file != null, "skipped: this JVM runs without perf data");
        try (KernelFile open = requireNonNull(file)) {
            ByteBuffer bytes = ByteBuffer.allocate(PerfData.MOST_BYTES);
            while (open.read(bytes, bytes.position()) > 0) {
                assertThat(bytes.hasRemaining()).isTrue();
            }
            return Arrays.copyOf(bytes.array(), bytes.position());
        }
    }

    @Test
    void ownJvm_showsItsCollectors() throws IOException {
        PerfData data = PerfData.parse(ByteBuffer.wrap(own()), name -> name.startsWith("sun.gc.collector."));

        assertThat(data.longs()).containsKeys("sun.gc.collector.0.time", "sun.gc.collector.0.lastEntryTime");
        assertThat(data.texts()).containsKey("sun.gc.collector.0.name");
    }

    /** Each length and place in it may be anything. */
    @Test
    void damagedData_areReadOrRefused() throws IOException {
        byte[] whole = own();
        int refused = 0;
        for (long seed = 1; seed <= 5000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = random.nextInt(5) == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
            for (int i = random.nextInt(20); i > 0 && bytes.length > 0; i--) {
                int at = random.nextInt(random.nextInt(3) == 0 ? Math.min(200, bytes.length) : bytes.length);
                bytes[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : 255);
            }
            try {
                PerfData data = PerfData.parse(ByteBuffer.wrap(bytes), name -> true);
                assertThat(data.longs().values())
                        .as("seed %d", seed)
                        .allSatisfy(place -> assertThat(place).isBetween(32, bytes.length - Long.BYTES));
            } catch (IOException damaged) {
                assertThat(damaged.getMessage()).as("seed %d", seed).startsWith("perf data: ");
                refused++;
            }
        }
        assertThat(refused).isBetween(100, 4900);
    }

    @Test
    void fileThatIsNone_isRefused_withWhatWasExpected() throws IOException {
        Path file = Files.writeString(folder.resolve("1"), "x".repeat(100));
        try (KernelFile open = KernelFile.open(file)) {
            assertThatThrownBy(() -> PerfData.read(open, name -> true))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("expected: it begins with CAFEC0C0");
        }
    }
}

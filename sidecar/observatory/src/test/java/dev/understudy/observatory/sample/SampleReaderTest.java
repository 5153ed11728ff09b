package dev.understudy.observatory.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class SampleReaderTest {
    private static final long NOW = 1_795_812_596_000_000L;
    private static final String HEADER = "micros,interval,processor.busy,disk.sda.busy\n";
    private static final String PROCESS_HEADER = "micros,interval,source,processor.busy,collector.pause\n";

    @TempDir
    Path folder;

    private static String host(int from, int count) {
        StringBuilder text = new StringBuilder(HEADER);
        for (int i = from; i < from + count; i++) {
            text.append(NOW + i * 50_000L)
                    .append(",50000,0.5,")
                    .append(i % 2 == 0 ? "" : i)
                    .append('\n');
        }
        return text.toString();
    }

    private Path write(String kind, long millisLater, String text) throws IOException {
        Path file = folder.resolve(new SegmentName(kind, NOW / 1000 + millisLater).fileName());
        return Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private SampleSet read() throws SampleException {
        return SampleReader.read(folder, Long.MIN_VALUE, Long.MAX_VALUE, 1_000_000);
    }

    @Test
    void segments_areOneSeriesForEachSourceAndMetric() throws IOException {
        write("host", 0, host(0, 10));
        write("host", 500, host(10, 10));
        write("process", 0, PROCESS_HEADER + NOW + ",50000,orders 4711,1.5,\n" + NOW + ",50000,orders 4712,0.25,1\n");

        SampleSet set = read();

        assertThat(set.series())
                .extracting(series -> series.source() + " " + series.metric() + " " + series.values().length)
                .containsExactly(
                        "host disk.sda.busy 10",
                        "host processor.busy 20",
                        "orders 4711 processor.busy 1",
                        "orders 4712 collector.pause 1",
                        "orders 4712 processor.busy 1");
        assertThat(set.series().get(1).micros()).isSorted();
        assertThat(set.badLines()).isZero();
        assertThat(set.badFiles()).isEmpty();
    }

    @Test
    void spanOfTime_isReadAlone() throws IOException {
        write("host", 0, host(0, 10));
        write("host", 500, host(10, 10));

        SampleSet set = SampleReader.read(folder, NOW + 450_000, NOW + 500_000, 100);

        assertThat(set.series().get(1).micros()).containsExactly(NOW + 450_000, NOW + 500_000);
    }

    @Test
    void tornAndDamagedLines_areLeftOut_andCounted() throws IOException {
        String good = host(0, 10);
        String[] lines = good.split("\n", -1);
        String damaged = String.join(
                "\n",
                lines[0],
                lines[1],
                "nonsense",
                lines[2],
                lines[3].replace("0.5", "0.5.5"),
                lines[2],
                lines[4] + ",7",
                "9".repeat(LineSource.LONGEST + 10),
                lines[5],
                lines[6].substring(0, 20));
        Path file = write("host", 0, damaged);

        SampleSet set = read();

        assertThat(set.badLines()).isEqualTo(6);
        assertThat(set.firstBadLines()).containsExactly(file + ":3: it has other columns than the header");
        assertThat(set.series().get(1).micros()).containsExactly(NOW, NOW + 50_000, NOW + 200_000);
    }

    @Test
    void damagedSegment_isLeftOutAndNamed_andNothingElseIsLost() throws IOException {
        write("host", 0, host(0, 10));
        Path bad = write("host", 500, host(10, 10).replace("micros", "macros"));
        Path empty = write("host", 700, "");
        write("host", 1000, host(20, 10));
        Files.writeString(folder.resolve("host-notes.csv"), "mine");

        SampleSet set = read();

        assertThat(set.badFiles())
                .containsOnlyKeys(
                        bad.getFileName().toString(), empty.getFileName().toString());
        assertThat(set.badFiles().get(bad.getFileName().toString())).startsWith("line 1: it isn't the header");
        assertThat(set.series().get(1).values()).hasSize(20);
        assertThatThrownBy(() -> SampleReader.read(bad, 0, Long.MAX_VALUE, 100))
                .isInstanceOf(SampleException.class)
                .hasMessageContaining(bad + ": line 1: ");
    }

    /** After the clock was set back, a later segment has earlier samples. */
    @Test
    void samplesOfAnEarlierTime_comeToTheirPlace() throws IOException {
        write("host", 0, host(5, 10));
        write("host", 1, host(0, 10));

        SampleSet set = read();

        assertThat(set.series().get(1).micros()).hasSize(15).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void moreValuesThanWanted_areRefused_withTheWayOut() throws IOException {
        write("host", 0, host(0, 100));

        assertThatThrownBy(() -> SampleReader.read(folder, 0, Long.MAX_VALUE, 50))
                .isInstanceOf(SampleException.class)
                .hasMessageContaining("more than 50 values up to here (expected: a shorter span of time");
    }

    @Test
    void folderWithoutSamples_isRefused_withTheWayOut() {
        assertThatThrownBy(this::read)
                .isInstanceOf(SampleException.class)
                .hasMessageContaining("as understudy node --out writes them");
        assertThatThrownBy(() -> SampleReader.read(folder.resolve("none"), 0, 1, 1))
                .isInstanceOf(SampleException.class)
                .hasMessageContaining("no such file");
    }

    @Test
    void anyFile_isReadOrNamed() throws IOException {
        List<String> whole =
                List.of(host(0, 30), PROCESS_HEADER + (NOW + ",50000,orders 4711,1.5,\n").repeat(5), HEADER.repeat(3));
        for (long seed = 1; seed <= 1000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = whole.get(random.nextInt(3)).getBytes(StandardCharsets.ISO_8859_1);
            for (int i = random.nextInt(10); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] =
                        (byte) (random.nextBoolean() ? random.nextInt(256) : ",\n.-0 ".charAt(random.nextInt(6)));
            }
            String text = new String(
                    bytes,
                    0,
                    bytes.length - random.nextInt(2) * random.nextInt(bytes.length),
                    StandardCharsets.ISO_8859_1);
            Path file = write("host", 0, random.nextInt(9) == 0 ? text.replace("5", "5".repeat(1000)) : text);
            SampleSet set = read();
            assertThat(set.series()).as("seed %d", seed).allSatisfy(series -> {
                assertThat(series.micros()).isSorted();
                assertThat(series.values()).doesNotContain(Double.NaN);
            });
            try {
                SampleReader.read(file, 0, Long.MAX_VALUE, 1 + random.nextInt(1000));
            } catch (SampleException refused) {
                assertThat(refused.getMessage()).as("seed %d", seed).startsWith(file.toString());
            }
        }
    }
}

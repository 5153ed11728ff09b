package dev.understudy.observatory.node;

import dev.understudy.observatory.sample.SampleReader;
import dev.understudy.observatory.sample.SampleSet;
import dev.understudy.relay.TinyDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

final class SegmentWriterTest {
    private static final long NOW = 1_795_812_596_000_000L;
    private static final List<String> COLUMNS = List.of("processor.busy", "memory.dirty");

    @TempDir
    Path temporary;

    private final List<String> failures = new ArrayList<>();

    private SegmentWriter writer(SegmentFolder folder) {
        return new SegmentWriter(folder, "host", false, failures::add);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @Test
    void line_isReadAsItWasWritten_alsoWhileTheSegmentGrows() throws IOException {
        Path place = temporary.resolve("new");
        try (SegmentFolder folder = SegmentFolder.open(place, SegmentFolder.LEAST);
                SegmentWriter writer = writer(folder)) {
            writer.begin(COLUMNS, NOW, null);
            writer.row(NOW, 50_000, null, new double[] {0.12345, 1e12});
            writer.row(NOW + 50_000, 50_000, null, new double[] {Double.NaN, -3.5});
            writer.flush();

            assertThat(Files.readString(place.resolve("host-1795812596000.csv")))
                    .isEqualTo("""
                            micros,interval,processor.busy,memory.dirty
                            1795812596000000,50000,0.1235,1000000000000
                            1795812596050000,50000,,-3.5
                            """);
            SampleSet set = SampleReader.read(place, 0, Long.MAX_VALUE, 100);
            assertThat(set.badLines()).isZero();
            assertThat(set.series()).hasSize(2);
            assertThat(set.series().get(0).values()).containsExactly(1e12, -3.5);
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void files_areTheirOwnersOnly() throws IOException {
        Path place = temporary.resolve("new");
        try (SegmentFolder folder = SegmentFolder.open(place, SegmentFolder.LEAST);
                SegmentWriter writer = writer(folder)) {
            writer.begin(COLUMNS, NOW, null);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
                    .isEqualTo("rwx------");
            assertThat(files(place))
                    .hasSize(2)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void folder_staysWithinItsBound_andKeepsWhatIsNotItsOwn() throws IOException {
        Path place = Files.createDirectories(temporary.resolve("full"));
        for (String name : List.of("host-1.csv", "host-1795812500000.csv.gz", "other.csv", "notes")) {
            Files.writeString(place.resolve(name), "mine");
        }
        Files.createSymbolicLink(place.resolve("host-1000000000000.csv"), place.resolve("notes"));
        try (SegmentFolder folder = SegmentFolder.open(place, SegmentFolder.LEAST);
                SegmentWriter host = writer(folder);
                SegmentWriter process = new SegmentWriter(folder, "process", true, failures::add)) {
            long most = 0;
            for (long i = 0; i < 100_000; i++) {
                long now = NOW + i * 50_000;
                if (i == 0 || host.isFull() || process.isFull()) {
                    host.begin(COLUMNS, now, process);
                    process.begin(COLUMNS, now, host);
                    most = Math.max(most, size(place));
                }
                host.row(now, 50_000, null, new double[] {i, 2});
                process.row(now, 50_000, "java 4711", new double[] {i, 2});
            }
            assertThat(most).isBetween(SegmentFolder.LEAST / 2, SegmentFolder.LEAST);
            assertThat(size(place)).isLessThanOrEqualTo(SegmentFolder.LEAST);
        }
        assertThat(failures).isEmpty();
        assertThat(place.resolve("host-1795812596000.csv")).doesNotExist();
        for (String name : List.of("host-1.csv", "host-1795812500000.csv.gz", "other.csv", "notes")) {
            assertThat(place.resolve(name)).hasContent("mine");
        }
        assertThat(place.resolve("host-1000000000000.csv")).isSymbolicLink();
    }

    private static long size(Path folder) throws IOException {
        long size = 0;
        for (Path file : files(folder)) {
            size += Files.size(file);
        }
        return size;
    }

    /** On a real file system of two megabytes. */
    @Test
    @Tag("process")
    void fullDisk_losesSamples_andGoesOnWhenThereIsRoom() throws IOException {
        try (TinyDisk disk = TinyDisk.mount(temporary.resolve("disk"));
                SegmentFolder folder = SegmentFolder.open(disk.folder, 64 << 20);
                SegmentWriter writer = writer(folder)) {
            Path ballast = Files.write(disk.folder.resolve("ballast"), new byte[2_000_000]);
            writer.begin(COLUMNS, NOW, null);
            long at = NOW;
            while (failures.isEmpty()) {
                writer.row(at += 50_000, 50_000, null, new double[] {1, 2});
                writer.flush();
                assertThat(at).isLessThan(NOW + 50_000L * 1_000_000);
            }
            assertThat(failures.get(0)).contains("samples are lost", "it goes on when there is room");
            int before = files(disk.folder).size();
            for (int i = 0; i < 20; i++) {
                writer.begin(COLUMNS, at += 50_000, null);
                writer.row(at, 50_000, null, new double[] {1, 2});
                writer.flush();
            }
            assertThat(writer.isOpen()).isFalse();
            assertThat(files(disk.folder)).as("no file for each try").hasSizeLessThanOrEqualTo(before + 1);

            Files.delete(ballast);
            writer.begin(COLUMNS, at += 50_000, null);
            writer.row(at, 50_000, null, new double[] {0.25, 2});
            writer.flush();
            assertThat(writer.isOpen()).isTrue();
            assertThat(writer.lost()).isPositive();
            SampleSet set = SampleReader.read(disk.folder, at, at, 100);
            assertThat(set.series()).hasSize(2);
            assertThat(set.series().get(1).values()).containsExactly(0.25);
        }
    }

    @Test
    void secondSampler_needsAFolderOfItsOwn() throws IOException {
        try (SegmentFolder first = SegmentFolder.open(temporary, SegmentFolder.LEAST)) {
            assertThat(first.segmentBytes()).isEqualTo(SegmentFolder.LEAST / 8);
            assertThatThrownBy(() -> SegmentFolder.open(temporary, SegmentFolder.LEAST))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another sampler writes there");
        }
        SegmentFolder.open(temporary, SegmentFolder.LEAST).close();
    }

    @Test
    void folderThatIsAFile_isRefused() throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "");
        assertThatThrownBy(() -> SegmentFolder.open(file, SegmentFolder.LEAST))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected: a folder");
        assumeTrue(Files.isDirectory(Path.of("/proc/self")));
        assertThatThrownBy(() -> SegmentFolder.open(Path.of("/proc/self/understudy"), SegmentFolder.LEAST))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected: a folder");
    }
}

package dev.understudy.relay.stream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class RecordingTest {
    @TempDir
    Path folder;

    @Test
    void blocks_comeBackInOrder_andTheFileIsItsOwnersOnly() throws IOException {
        Path file = written(20, 1 << 20);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (RecordingReader reader = RecordingReader.open(file)) {
            assertThat(connections(reader)).hasSize(20).isSorted();
            assertThat(reader.torn()).isNull();
            assertThat(Math.abs(System.currentTimeMillis() - reader.epochMillis()))
                    .isLessThan(60_000);
        }
        assertThatThrownBy(() -> RecordingWriter.create(file, 1)).isInstanceOf(IOException.class);
    }

    @Test
    void fileCutAnywhere_isReadUpToTheCut() throws IOException {
        byte[] whole = Files.readAllBytes(written(3, 1 << 20));
        int most = 0;
        for (int length = RecordingWriter.HEADER; length <= whole.length; length++) {
            Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(whole, length));
            try (RecordingReader reader = RecordingReader.open(cut)) {
                List<Long> read = connections(reader);
                assertThat(read.size()).as("cut at " + length).isGreaterThanOrEqualTo(most);
                most = read.size();
                assertThat(reader.torn() == null).as("cut at " + length).isEqualTo(reader.position() == length);
            }
        }
        assertThat(most).isEqualTo(3);
    }

    @Test
    void anyDamage_isSaid_andNeverThrown() throws IOException {
        byte[] whole = Files.readAllBytes(written(5, 1 << 20));
        for (long seed = 1; seed <= 2000; seed++) {
            Random random = new Random(seed);
            byte[] damaged = whole.clone();
            for (int n = 1 + random.nextInt(4); n > 0; n--) {
                damaged[RecordingWriter.HEADER + random.nextInt(whole.length - RecordingWriter.HEADER)] =
                        (byte) random.nextInt(256);
            }
            Path file = Files.write(folder.resolve("damaged"), damaged);
            try (RecordingReader reader = RecordingReader.open(file)) {
                int read = connections(reader).size();
                assertThat(read == 5 || reader.torn() != null)
                        .as("seed " + seed)
                        .isTrue();
            }
        }
    }

    @Test
    void otherFiles_areNoRecordings() throws IOException {
        for (String content :
                List.of("", "USTREAM1", "USTREAM1 and then something that isn't its header", "x".repeat(99))) {
            Path file = Files.writeString(folder.resolve("other"), content);
            assertThatThrownBy(() -> RecordingReader.open(file).close())
                    .as(content)
                    .isInstanceOf(DamagedBlock.class);
        }
    }

    @Test
    void fileThatIsFull_takesNoMore_andCountsIt() throws IOException {
        Path file = folder.resolve("full");
        RecordingWriter writer = RecordingWriter.create(file, 1000);
        for (int n = 0; n < 10; n++) {
            writer.append(SpillTest.block(n, 300), Runnable::run, () -> {});
        }
        writer.close();
        assertThat(Files.size(file)).isLessThanOrEqualTo(1000).isEqualTo(writer.bytes());
        assertThat(writer.dropped()).isEqualTo(8 * (300 + BlockWriter.HEADER + BlockWriter.RECORD));
    }

    private Path written(int blocks, long most) throws IOException {
        Path file = folder.resolve("recording");
        try (RecordingWriter writer = RecordingWriter.create(file, most)) {
            for (int n = 0; n < blocks; n++) {
                writer.append(SpillTest.block(n, 50), Runnable::run, () -> {});
            }
        }
        return file;
    }

    private static List<Long> connections(RecordingReader reader) throws IOException {
        List<Long> connections = new ArrayList<>();
        for (BlockReader block = reader.next(); block != null; block = reader.next()) {
            connections.add(block.connection());
            block.release();
        }
        return connections;
    }
}

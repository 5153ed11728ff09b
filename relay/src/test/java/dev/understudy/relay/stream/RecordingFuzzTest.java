package dev.understudy.relay.stream;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.understudy.relay.Splits;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Any bytes as recordings and as segments of spills: read up to where they are damaged, which is said, and no byte is
 * read twice or passed over.
 */
class RecordingFuzzTest {
    private static final Path FILE = temporary();

    /** Bytes as a file. */
    @FuzzTest
    void files(byte[] input) throws Exception {
        Files.write(FILE, input);
        Splits.bounded(input.length, () -> {
            try {
                return readRecording(input);
            } catch (DamagedBlock refused) {
                assertThat(refused).hasMessageContaining(FILE.toString());
                return 0L;
            }
        });
        Splits.bounded(input.length, () -> readSegment(input));
    }

    /** Bytes as blocks, whose checksums are made right first, so that what is behind them is read. */
    @FuzzTest
    void blocks(byte[] input) throws Exception {
        byte[] blocks = repaired(input);
        Files.write(FILE, blocks);
        Splits.bounded(input.length, () -> readSegment(blocks));
        byte[] header = RecordingWriter.header(1, 2).array();
        byte[] recording = Arrays.copyOf(header, header.length + blocks.length);
        System.arraycopy(blocks, 0, recording, header.length, blocks.length);
        Files.write(FILE, recording);
        Splits.bounded(input.length, () -> readRecording(recording));
    }

    private static long readRecording(byte[] bytes) throws IOException {
        long end;
        try (RecordingReader reader = RecordingReader.open(FILE)) {
            long blocks = RecordingWriter.HEADER;
            for (BlockReader block = reader.next(); block != null; block = reader.next()) {
                blocks += bytes(block);
            }
            end = reader.position();
            assertThat(end).isEqualTo(blocks);
            assertThat(reader.torn() == null).isEqualTo(end == bytes.length);
        }
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        try (RecordingReader reader = RecordingReader.open(FILE)) {
            reader.copy(connection -> true, Channels.newChannel(copy));
        }
        assertThat(copy.toByteArray()).isEqualTo(Arrays.copyOf(bytes, (int) end));
        return end;
    }

    private static long readSegment(byte[] bytes) throws IOException {
        long read = 0;
        try (SegmentReader reader = SegmentReader.open(FILE)) {
            for (BlockReader block = reader.next(); block != null; block = reader.next()) {
                read += bytes(block);
            }
            assertThat(read).isLessThanOrEqualTo(bytes.length);
            boolean left = read < bytes.length;
            assertThat(left).isEqualTo(reader.torn() != null || reader.struck() + reader.damaged() > 0);
        }
        return read;
    }

    /** How many bytes its records take, with its header. */
    private static long bytes(BlockReader block) {
        long bytes = BlockWriter.HEADER;
        while (block.hasRecord()) {
            assertThat(block.event()).isNotNull();
            ByteBuf data = block.data();
            assertThat(data.readableBytes()).isEqualTo(block.length());
            data.release();
            bytes += BlockWriter.RECORD + block.length();
            block.skip();
        }
        assertThat(bytes).isEqualTo(block.capacity());
        block.release();
        return bytes;
    }

    private static byte[] repaired(byte[] input) {
        ByteBuffer blocks = ByteBuffer.wrap(input.clone());
        int at = 0;
        while (blocks.capacity() - at >= BlockWriter.HEADER) {
            int length = blocks.getInt(at + BlockWriter.LENGTH_AT);
            if (length < 0 || length > blocks.capacity() - at - BlockWriter.HEADER) {
                break;
            }
            CRC32C crc = new CRC32C();
            crc.update(blocks.array(), at + BlockWriter.LENGTH_AT, BlockWriter.CHECKSUM_AT - BlockWriter.LENGTH_AT);
            crc.update(blocks.array(), at + BlockWriter.HEADER, length);
            blocks.putInt(at + BlockWriter.CHECKSUM_AT, (int) crc.getValue());
            at += BlockWriter.HEADER + length;
        }
        return blocks.array();
    }

    private static Path temporary() {
        try {
            Path file = Files.createTempFile("recording", "");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}

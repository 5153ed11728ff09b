package dev.understudy.observatory.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one kind's samples, segment after segment. What can't be written is lost, and a new segment is tried later: a
 * full disk ends nothing. One thread.
 */
final class SegmentWriter implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private static final int TIMES = 2 * CsvLine.LONGEST_NUMBER;

    private final SegmentFolder folder;
    private final String kind;
    private final boolean hasSource;
    private final Consumer<String> failures;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private List<String> metrics;
    private @Nullable FileChannel channel;
    private @Nullable Path file;
    private long written;
    private long lost;

    /**
     * For one kind.
     *
     * @param hasSource whether each line names what it is of
     * @param failures gets what couldn't be written
     */
    SegmentWriter(SegmentFolder folder, String kind, boolean hasSource, Consumer<String> failures) {
        this.folder = folder;
        this.kind = kind;
        this.hasSource = hasSource;
        this.failures = failures;
        this.metrics = List.of();
    }

    /** The segment that grows; empty between two. */
    private Set<Path> open() {
        return file == null ? Set.of() : Set.of(file);
    }

    /**
     * Ends a segment and begins the next.
     *
     * @param columns its metrics
     * @param other the other kind's writer, whose segment isn't deleted
     */
    void begin(List<String> columns, long micros, @Nullable SegmentWriter other) {
        end();
        metrics = List.copyOf(columns);
        try {
            Path created = folder.create(kind, micros / 1000, other == null ? Set.of() : other.open());
            file = created;
            written = 0;
            channel = FileChannel.open(created, StandardOpenOption.WRITE);
            List<String> header = new ArrayList<>(List.of("micros", "interval"));
            if (hasSource) {
                header.add("source");
            }
            header.addAll(columns);
            byte[] line = CsvLine.header(header);
            writeOut(ByteBuffer.wrap(line));
        } catch (IOException refused) {
            Path empty = file;
            failed(refused);
            deleteIfEmpty(empty);
        }
    }

    /** A disk that stays full shall not get a file for each try. */
    private void deleteIfEmpty(@Nullable Path created) {
        try {
            if (created != null && written == 0) {
                Files.deleteIfExists(created);
            }
        } catch (IOException refused) {
            failures.accept(created + ": " + refused);
        }
    }

    /** Whether a segment grows: otherwise lines are lost until the next {@link #begin}. */
    boolean isOpen() {
        return channel != null;
    }

    /** Whether it is as long as it may be. */
    boolean isFull() {
        return written + buffer.position() >= folder.segmentBytes();
    }

    /**
     * Adds a line.
     *
     * @param micros when it was sampled, epoch microseconds
     * @param interval the time since the sample before, microseconds
     * @param row a value for each metric, NaN for none
     */
    void row(long micros, long interval, @Nullable String source, double[] row) {
        int length = TIMES + metrics.size() * CsvLine.LONGEST_NUMBER + (source == null ? 0 : source.length() + 1);
        if (channel == null || length > BUFFER) {
            lost++;
            return;
        }
        if (buffer.remaining() < length) {
            flush();
        }
        CsvLine.whole(buffer, micros);
        buffer.put((byte) ',');
        CsvLine.whole(buffer, interval);
        if (source != null) {
            CsvLine.cell(buffer, source);
        }
        for (int i = 0; i < metrics.size(); i++) {
            CsvLine.cell(buffer, row[i]);
        }
        buffer.put((byte) '\n');
    }

    /** Writes what was added; for once a second. */
    void flush() {
        buffer.flip();
        try {
            if (channel != null) {
                writeOut(buffer);
            }
        } catch (IOException refused) {
            failed(refused);
        }
        buffer.clear();
    }

    private void writeOut(ByteBuffer bytes) throws IOException {
        FileChannel to = channel;
        while (to != null && bytes.hasRemaining()) {
            written += to.write(bytes);
        }
    }

    private void failed(IOException refused) {
        failures.accept((file == null ? kind : file.toString()) + ": samples are lost since it can't be written ("
                + refused + "); it goes on when there is room; --keep bounds the folder");
        lost++;
        closeChannel();
    }

    /** How many times something was lost. */
    long lost() {
        return lost;
    }

    private void end() {
        flush();
        closeChannel();
        buffer.clear();
    }

    private void closeChannel() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException late) {
            failures.accept(file + ": " + late);
        }
        channel = null;
        file = null;
    }

    @Override
    public void close() {
        end();
    }
}

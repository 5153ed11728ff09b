package dev.understudy.observatory.event;

import dev.understudy.relay.stream.SegmentReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where exchanges of a tier are read from: a recording, which {@code understudy record} or a sidecar wrote, or the
 * directory of an aggregator's journal.
 *
 * <p>Both are read as a stream: memory is that of the connections open at the same time, not that of the file.
 */
public final class TierSource {
    private TierSource() {}

    /**
     * Reads all exchanges of a source.
     *
     * @param tier the tier's name
     * @param source a recording's file, or a journal's directory
     * @throws IOException if it is none of these, can't be read, or {@code sink} takes no more; the message names it
     */
    public static SourceCounts read(String tier, Path source, TierSink sink) throws IOException {
        if (!Files.exists(source)) {
            throw new IOException(source + ": there is no such file or directory");
        }
        if (!Files.isDirectory(source)) {
            return RecordingExchanges.read(tier, source, sink);
        }
        List<Path> segments = SegmentReader.in(source);
        if (segments.isEmpty()) {
            throw new IOException(source + ": no journal, as it has no file segment-1 or the like "
                    + "(expected: a recording's file, or the directory of one upstream in an aggregator's journal)");
        }
        return JournalExchanges.read(tier, segments, sink);
    }
}

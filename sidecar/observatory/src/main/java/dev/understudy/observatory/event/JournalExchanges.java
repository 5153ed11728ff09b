package dev.understudy.observatory.event;

import dev.understudy.aggregator.exchange.PackedReader;
import dev.understudy.aggregator.journal.disk.JournalDisk;
import dev.understudy.aggregator.journal.disk.Label;
import dev.understudy.observatory.event.SourceCounts.Omission;
import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.SegmentReader;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the exchanges of an aggregator's journal on disk, without changing it.
 *
 * <p>What stands before each reply has a moment of its process on both clocks, to the millisecond, from which the wall
 * clock of its stamps follows. But small replies never get to disk, and one that the debug JVM was given is struck out:
 * queues that are made of it are too short, which the counts say.
 */
final class JournalExchanges {
    private static final String NO_FAMILY = "(none)";

    private final String tier;
    private final TierSink sink;
    private final SourceCounts counts = new SourceCounts();

    private JournalExchanges(String tier, TierSink sink) {
        this.tier = tier;
        this.sink = sink;
    }

    static SourceCounts read(String tier, List<Path> segments, TierSink sink) throws IOException {
        JournalExchanges journal = new JournalExchanges(tier, sink);
        for (Path segment : segments) {
            journal.read(segment);
        }
        journal.counts.note("replies below " + JournalDisk.WORTH + " bytes are not in a journal on disk, so its queues "
                + "are too short: record the upstream for exact ones");
        return journal.counts;
    }

    private void read(Path segment) throws IOException {
        try (SegmentReader blocks = SegmentReader.open(segment)) {
            for (BlockReader block = blocks.next(); block != null; block = blocks.next()) {
                try {
                    read(block);
                } finally {
                    block.release();
                }
            }
            counts.omitted(Omission.STRUCK, blocks.struck());
            counts.omitted(Omission.DAMAGED, blocks.damaged());
            if (blocks.torn() != null) {
                counts.note(segment.getFileName() + ": " + blocks.torn());
            }
        }
    }

    private void read(BlockReader block) throws IOException {
        if (!block.hasRecord()) {
            return;
        }
        ByteBuf data = block.data();
        try {
            Label label = label(data);
            if (label == null) {
                counts.omitted(Omission.DAMAGED, 1);
            } else {
                take(label, data.readableBytes());
            }
        } finally {
            data.release();
        }
    }

    private void take(Label label, int replyBytes) throws IOException {
        long start = micros(label, label.startNanos());
        long end = micros(label, label.endNanos());
        if (end < start) {
            counts.omitted(Omission.BACKWARDS, 1);
            return;
        }
        String family = label.form().family();
        String route = family.isEmpty() ? NO_FAMILY : family;
        TierExchange exchange = new TierExchange(tier, route, label.connection(), start, end, 0, replyBytes, 0, true);
        counts.took(exchange);
        sink.add(exchange);
    }

    private static @Nullable Label label(ByteBuf data) {
        try {
            return Label.readFrom(new PackedReader(data));
        } catch (IOException | RuntimeException damaged) {
            return null;
        }
    }

    private static long micros(Label label, long nanos) {
        return Math.floorDiv(label.run().epochNanos(), 1000)
                + Math.floorDiv(nanos - label.run().nanos(), 1000);
    }
}
